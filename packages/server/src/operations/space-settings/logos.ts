import { isPng } from '../../platform/png.ts'

const maxLogoBytes = 64 * 1024 // limit: size of a logo in bytes
const maxSide = 1024 // limit: width and height of a logo in pixels
const start = 'data:image/png;base64,'

/** Maximum length of a logo as a `data:` URL. Base64 uses four characters for three bytes. */
export const maxLogoText = start.length + 87_384 // maximum number of characters of a logo as a `data:` URL

export const logoRule = 'must be a PNG of at most 64 KiB and 1024 × 1024 pixels'

/** Returns the image that a `data:` URL contains. */
export const readLogo = (text: string): Buffer => Buffer.from(text.slice(start.length), 'base64')

/** Returns whether a `data:` URL contains a PNG within the size limits. */
export const isLogo = (text: string): boolean => isPng(readLogo(text), { maxBytes: maxLogoBytes, maxSide })
