// All texts that payers see. Each language has the same keys. Amounts and times have already been formatted.

import { en } from './texts-en.ts'
import { fr } from './texts-fr.ts'

export type { Texts } from './texts-en.ts'

export const texts = { en, fr }
