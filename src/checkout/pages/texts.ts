// Everything the payer reads. Each language is a member with the same keys. Amounts and times are already
// formatted.

import { en } from './texts-en.ts'
import { fr } from './texts-fr.ts'

export type { Texts } from './texts-en.ts'

export const texts = { en, fr }
