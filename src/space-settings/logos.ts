import { isPng } from '../platform/png.ts'

const maxLogoBytes = 64 * 1024 // limit: bytes of a logo
const maxSide = 1024 // limit: width and height of a logo in pixels
const start = 'data:image/png;base64,'

/** Length of the largest logo as a `data:` URL: base64 uses four characters for three bytes. */
export const maxLogoText = start.length + 87_384 // characters of a logo as a `data:` URL

/** Returns the image of a `data:` URL. */
export const readLogo = (text: string): Buffer => Buffer.from(text.slice(start.length), 'base64')

/** Returns true if a `data:` URL contains a PNG within the size limits. */
export const isLogo = (text: string): boolean => isPng(readLogo(text), { maxBytes: maxLogoBytes, maxSide })
