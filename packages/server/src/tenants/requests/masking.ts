const maxBodyLength = 4_096 // limit: characters of a body kept in the request log
const maxTextLength = 1_000 // characters of a single text in a logged body
const maxNameLength = 40 // characters of a field name in a logged body
const maxDepth = 32 // nesting depth of a logged body
/** The text that replaces a secret. */
export const mask = '***'

/**
 * Returns a body for the request log: JSON with secrets masked and long parts shortened. Masks every field
 * whose name indicates a secret. In other fields, masks anything that looks like a token, a phone or account
 * number, or an email address.
 */
export function maskedBody(body: unknown): { body: string; isBodyCut: boolean } {
  const pieces: string[] = []
  let left = maxBodyLength
  let isPartCut = false
  const write = (piece: string) => {
    if (left > 0) pieces.push(piece.slice(0, left))
    left -= piece.length
  }
  let depth = 0
  const writeAll = (entries: [string, unknown][], isList: boolean, isSecret: boolean) => {
    let isFirst = true
    const isMoney = !isList && entries.some(([key]) => key === 'currency')
    for (const [key, entry] of entries) {
      if (left < 0) return
      if (!isFirst) write(',')
      isFirst = false
      if (!isList) write(`${JSON.stringify(isFieldName(key) ? key : maskedText(key))}:`)
      writeValue(entry, isSecret || (!isList && isSecretName(key)), isMoney && key === 'value')
    }
  }
  const writeValue = (value: unknown, isSecret: boolean, isMoney = false) => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value)
      write(isList ? '[' : '{')
      if (depth === maxDepth) isPartCut = true
      else {
        depth++
        writeAll(Object.entries(value), isList, isSecret)
        depth--
      }
      return write(isList ? ']' : '}')
    }
    if (typeof value === 'string' && value.length > maxTextLength) isPartCut = true
    write(JSON.stringify(isSecret && value !== null ? mask : maskedValue(value, isMoney)) ?? 'null')
  }
  writeValue(body, false)
  return { body: pieces.join(''), isBodyCut: isPartCut || left < 0 }
}

/**
 * Returns true if a name looks like an identifier in source code. Such names remain readable, so that
 * developers see which fields they sent.
 */
const isFieldName = (key: string) => key.length <= maxNameLength && /^[a-z]{2,}(?:[A-Z][a-z]+)*$/.test(key)

const isSecretName = (key: string) => secretName.test(key) && !harmlessCode.test(key)

const secretName =
  /secret|token|passw|passphrase|\bpin\b|pin$|^pin|otp|code|authori[sz]ation|cookie|credential|signature|header|api_?key|private|cv[vc]|\bpan\b|card_?number|phone|msisdn|mobile|account_?number|wallet_?id|iban/i
/** Names of fields whose codes identify things, not people. */
const harmlessCode =
  /^(?:bank|branch|country|currency|error|failure|fee|language|network|postal|product|provider|reason|routing|sort|status|zip)_?code$/i
const maskedDigits = 6

/**
 * Masks numbers of six or more digits, with or without a decimal point, because they may identify a person.
 * Keeps the value of an amount.
 */
const maskedValue = (value: unknown, isMoney: boolean) =>
  typeof value === 'string'
    ? maskedText(value)
    : typeof value === 'number' && !isMoney && String(value).replace(/\D/g, '').length >= maskedDigits
      ? mask
      : value

/** Matches text that is only a date or time, which remains readable. Longer text is masked like any other. */
const dateOrTime = /^\d{4}-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?)?$/
const ownId = /^[a-z]{3}-[0-7][0-9a-hjkmnp-tv-z]{25}$/
/**
 * Matches a date from 1900 to 2099, optionally with a time. If digits precede or follow the date, it is part of
 * a number.
 */
const day = String.raw`(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const hour = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?`
const date = new RegExp(`^${day}(?:${hour})?$`)
/** Matches separators between the digits of one number. */
const between = String.raw`[^\p{L}\p{N}]{0,3}`
const readable = new RegExp(
  String.raw`([a-z]{3}-[0-7][0-9a-hjkmnp-tv-z]{25}|(?<!\+|\p{N}${between})${day}(?:${hour})?(?!${between}\p{N}))`,
  'u',
)
const digits = new RegExp(String.raw`\+?\p{Nd}(?:${between}\p{Nd}){${maskedDigits - 1},}`, 'gu')
const part = /[A-Za-z0-9_+=~-]{20,}/g
const word = /[A-Za-z0-9_+=~/-]{20,}/g
/**
 * Returns true if a text looks random. Ordinary long words and paths are in lower case, whereas base64 with a
 * slash has both upper-case and lower-case letters.
 */
const isRandom = (text: string) =>
  text.includes('/') ? /[A-Z]/.test(text) && /[a-z]/.test(text) : /[A-Z0-9]/.test(text) && !ownId.test(text)
const query = /\?[^\s"]*/g
const credentials = /\/\/[^/@\s]*@/g
const mail = /[^\s@<>"/]+@[^\s@<>"/]+/g

/**
 * Matches text that no mask below changes: printable ASCII with too few digits for a number, without long words, and
 * without the characters that addresses and queries need. Most texts match, and trying every mask takes ten times as
 * long.
 */
const plain = new RegExp(
  String.raw`^(?!.*[A-Za-z0-9_+=~/-]{20})[ -/:->A-~]*(?:\d[ -/:->A-~]*){0,${maskedDigits - 1}}$`,
)

/** Masks a word, or the random parts of a path. */
const maskedWord = (text: string): string =>
  isRandom(text)
    ? mask
    : text.includes('/')
      ? text.replace(part, (each) => (isRandom(each) ? mask : each))
      : text

/** Shortens a long text. Masks the word at the cut, because part of a secret may not look like a secret. */
const withoutEnd = (text: string) =>
  text.length > maxTextLength ? text.slice(0, maxTextLength).replace(/\S*$/, mask) : text

/**
 * Shortens a text to 1,000 characters, and masks everything in it that looks like a secret or like a number
 * that identifies a person.
 */
export function maskedText(text: string): string {
  if (dateOrTime.test(text) || ownId.test(text)) return text
  if (text.length <= maxTextLength && plain.test(text)) return text
  return withoutEnd(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(credentials, `//${mask}@`)
    .replace(query, `?${mask}`)
    .replace(mail, mask)
    .replace(word, maskedWord)
    .split(readable)
    .map((piece) => (ownId.test(piece) || date.test(piece) ? piece : piece.replace(digits, mask)))
    .join('')
}
