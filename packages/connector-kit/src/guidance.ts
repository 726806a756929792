import { hasFields } from '@pesewa/values'

/** The rail's instructions to the payer, which are displayed as text and never as markup. */
export type Guidance = {
  /**
   * The texts by language code: two or three lower-case letters, as in BCP 47. There is at least one text
   * unless there is a dial string.
   */
  texts: Readonly<Record<string, string>>
  /** The code to dial, such as `*144*4#`, or `null` if there is none. */
  dialString: string | null
  /** Set if the rail sends the payer a code that we have to pass on to the rail. */
  asksForCode?: true
}

const maxLanguages = 10 // maximum number of languages in a rail’s instructions to the payer
const maxTextLength = 500 // maximum length of a rail’s instructions to the payer
const maxDialLength = 64 // maximum length of the code that a rail asks the payer to dial

/**
 * Reads a rail's guidance and drops invalid parts, so that guidance can never make a payment fail. Texts that
 * are too long are dropped entirely, because a truncated text could mean the opposite.
 */
export function guidanceOf(value: unknown): Guidance | undefined {
  if (!hasFields(value)) return undefined
  const texts = textsOf(value.texts)
  const dialString = isDialString(value.dialString) ? value.dialString : null
  return dialString !== null || Object.keys(texts).length > 0 ? { texts, dialString } : undefined
}

function textsOf(texts: unknown): Record<string, string> {
  if (typeof texts !== 'object' || texts === null) return {}
  const sound = Object.entries(texts).flatMap(([language, value]) => {
    const text = typeof value === 'string' && value.length <= 2 * maxTextLength ? cleaned(value) : ''
    const isSound = /^[a-z]{2,3}$/.test(language) && /[\p{L}\p{N}]/u.test(text)
    return isSound && [...text].length <= maxTextLength ? [[language, text] as const] : []
  })
  return Object.fromEntries(sound.slice(0, maxLanguages))
}

/** Converts a text to a single line without control or direction characters. */
const cleaned = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()

/**
 * Codes from 3GPP TS 22.030 that a handset executes itself: call forwarding, call barring, passwords and caller
 * id. No network can assign such a code to a service, so a rail has no reason to ask a payer to dial one.
 */
const handsetCodes = '002 004 03 21 30 31 33 330 331 332 333 35 351 353 43 61 62 66 67 76 77'.split(' ')

/** Returns whether a value is a short code with menu choices, which starts with one star and ends with a hash. */
function isDialString(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxDialLength) return false
  const [, code] = /^\*([0-9]{2,6})(?:\*[0-9]{1,20})*#$/.exec(value) ?? []
  return code !== undefined && !handsetCodes.includes(code)
}

/** Returns the text in the given language; falls back to English, then to any language. */
export function textIn(
  { texts }: Guidance,
  language: string,
): { language: string; text: string } | undefined {
  const spoken = [language, 'en', ...Object.keys(texts)].find((each) => Object.hasOwn(texts, each))
  return spoken === undefined ? undefined : { language: spoken, text: texts[spoken] ?? '' }
}
