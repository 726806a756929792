import type { Language } from '../../checkout/pages/language.ts'
import { en, type LinkTexts } from './link-texts-en.ts'
import { fr } from './link-texts-fr.ts'
import { kri } from './link-texts-kri.ts'
import { pt } from './link-texts-pt.ts'
import { sw } from './link-texts-sw.ts'

export type { LinkTexts }

const all = { en, fr, kri, pt, sw }

/** Texts in every language of the checkout pages, which decide the languages that payers see. */
export const linkTexts: Record<Language, LinkTexts> = all
