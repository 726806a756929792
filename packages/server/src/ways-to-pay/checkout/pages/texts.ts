// All texts that payers see, in one file for each language, which must have the type of the English one. Amounts and
// times have already been formatted.

import { en } from './texts-en.ts'
import { fr } from './texts-fr.ts'
import { kri } from './texts-kri.ts'
import { pt } from './texts-pt.ts'
import { sw } from './texts-sw.ts'

export type { Texts } from './texts-en.ts'

export const texts = { en, fr, kri, sw, pt }
