const maxBodyLength = 4_096 // limit: characters of a body that the request log keeps
const maxTextLength = 1_000 // limit: characters of one text in it
const maxNameLength = 40 // limit: characters of the name of a field in it
const maxDepth = 32 // limit: how deep in a body the request log looks
/** What stands in the place of a secret. */
export const mask = '***'

/**
 * A body as the request log keeps it: JSON without what is secret, cut where it is long. What a name says is secret is
 * masked whole; elsewhere whatever looks like a token, a phone or account number, or an address of mail is.
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

/** Words as programs write them, however many: whoever looks for a fault has to see which field was sent. */
const isFieldName = (key: string) => key.length <= maxNameLength && /^[a-z]{2,}(?:[A-Z][a-z]+)*$/.test(key)

const isSecretName = (key: string) => secretName.test(key) && !harmlessCode.test(key)

const secretName =
  /secret|token|passw|passphrase|\bpin\b|pin$|^pin|otp|code|authori[sz]ation|cookie|credential|signature|header|api_?key|private|cv[vc]|\bpan\b|card_?number|phone|msisdn|mobile|account_?number|wallet_?id|iban/i
/** Codes of things and not of people. */
const harmlessCode =
  /^(?:bank|branch|country|currency|error|failure|fee|language|network|postal|product|provider|reason|routing|sort|status|zip)_?code$/i
const maskedDigits = 6

/** A number of six digits may be anybody's, wherever its point stands; the value of an amount is money. */
const maskedValue = (value: unknown, isMoney: boolean) =>
  typeof value === 'string'
    ? maskedText(value)
    : typeof value === 'number' && !isMoney && String(value).replace(/\D/g, '').length >= maskedDigits
      ? mask
      : value

/** What begins like a date stays readable; what is longer than that is judged like all else. */
const moment = /^\d{4}-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?)?$/
const ownId = /^[a-z]{3}-[0-7][0-9a-hjkmnp-tv-z]{25}$/
/** A day of our time, which may go on with an hour; digits beside it would make it part of a number. */
const day = String.raw`(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const hour = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?`
const date = new RegExp(`^${day}(?:${hour})?$`)
/** Whatever may stand between the digits of one number. */
const between = String.raw`[^\p{L}\p{N}]{0,3}`
const readable = new RegExp(
  String.raw`([a-z]{3}-[0-7][0-9a-hjkmnp-tv-z]{25}|(?<!\+|\p{N}${between})${day}(?:${hour})?(?!${between}\p{N}))`,
  'u',
)
const digits = new RegExp(String.raw`\+?\p{Nd}(?:${between}\p{Nd}){${maskedDigits - 1},}`, 'gu')
const part = /[A-Za-z0-9_+=~-]{20,}/g
const word = /[A-Za-z0-9_+=~/-]{20,}/g
/** Long names of things, and paths, are lower case; what has a slash and is of base64 has letters of both kinds. */
const isRandom = (text: string) =>
  text.includes('/') ? /[A-Z]/.test(text) && /[a-z]/.test(text) : /[A-Z0-9]/.test(text) && !ownId.test(text)
const query = /\?[^\s"]*/g
const credentials = /\/\/[^/@\s]*@/g
const mail = /[^\s@<>"/]+@[^\s@<>"/]+/g

/** Of a path that is no secret as a whole each part is judged, too. */
const maskedWord = (text: string): string =>
  isRandom(text)
    ? mask
    : text.includes('/')
      ? text.replace(part, (each) => (isRandom(each) ? mask : each))
      : text

/** What a cut leaves of a secret need not look like one: the word that it goes through is masked. */
const withoutEnd = (text: string) =>
  text.length > maxTextLength ? text.slice(0, maxTextLength).replace(/\S*$/, mask) : text

/** A text without what looks like a secret or like somebody's number, 1 000 characters at most. */
export function maskedText(text: string): string {
  if (moment.test(text)) return text
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
