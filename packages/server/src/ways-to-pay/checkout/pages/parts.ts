import assert from 'node:assert/strict'
import type { Help } from './view.ts'

/** Returns the initial of a name. For example, `Kadi's Cloth` becomes `K`. */
export const monogram = (name: string): string => name.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase() ?? '•'

/** Returns an external URL, or `undefined` if its protocol is not allowed. */
export function safeUrl(url: string | undefined, protocols: readonly string[]): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const parsed = new URL(url)
  return protocols.includes(parsed.protocol) ? parsed.href : undefined
}

export function ownPath(path: string): string {
  assert(/^\/(?![/\\])/.test(path), 'a form action or link must be a path on this server')
  return path
}

/** Returns the URL of an image: a path on this server, or a PNG as a `data:` URL. */
export const imageUrl = (url: string): string =>
  /^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/.test(url) ? url : ownPath(url)

/** Prevents a line break between `Le` and the number that follows it. */
export const unbroken = (amount: string): string => amount.replaceAll(' ', '\u00a0')

/** Returns the CSS class for the size of an amount. */
export function amountSize(amount: string): string {
  if (amount.length > 19) return 'amount-longest'
  return amount.length > 14 ? 'amount-long' : ''
}

/** Returns the links to the merchant's support and terms, or `undefined` if there are none. */
export function presentHelp({ supportEmail, supportPhone, termsUrl }: Help) {
  const mail = supportEmail && `mailto:${encodeURIComponent(supportEmail)}`
  const phone = supportPhone && `tel:${encodeURIComponent(supportPhone)}`
  const terms = safeUrl(termsUrl, ['https:', 'http:'])
  return mail || phone || terms ? { mail, phone, terms } : undefined
}
