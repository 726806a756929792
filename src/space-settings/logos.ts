import { isPng } from '../platform/png.ts'

const maxLogoBytes = 64 * 1024 // limit: a logo
const maxSide = 1024 // limit: pixels of a logo, each way
const start = 'data:image/png;base64,'

/** What a logo of the largest size takes as a `data:` address: four letters for three bytes. */
export const maxLogoText = start.length + 87_384 // limit: a logo as a `data:` address

/** The image of a `data:` address. */
export const readLogo = (text: string): Buffer => Buffer.from(text.slice(start.length), 'base64')

/** Whether the address has a PNG that a phone can draw. */
export const isLogo = (text: string): boolean => isPng(readLogo(text), { maxBytes: maxLogoBytes, maxSide })
