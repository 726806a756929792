import type { Language } from '../../checkout/pages/language.ts'
import { en, type LinkTexts } from './link-texts-en.ts'
import { fr } from './link-texts-fr.ts'

export type { LinkTexts }
export const linkTexts: Record<Language, LinkTexts> = { en, fr }
