// Every word the payer reads. A language is one more member with the same keys. Amounts and times come formatted.

import { en } from './texts-en.ts'
import { fr } from './texts-fr.ts'

export type { Texts } from './texts-en.ts'

export const texts = { en, fr }
