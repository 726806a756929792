import type { Language } from '../../checkout/pages/language.ts'
import { en, type LinkTexts } from './link-texts-en.ts'
import { fr } from './link-texts-fr.ts'
import { kri } from './link-texts-kri.ts'
import { pt } from './link-texts-pt.ts'
import { sw } from './link-texts-sw.ts'

export type { LinkTexts }

// All texts of a payment link's pages, in one file for each language.

export const linkTexts: Record<Language, LinkTexts> = { en, fr, kri, pt, sw }
