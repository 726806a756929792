const maxLogoBytes = 64 * 1024 // limit: a logo
const maxSide = 1024 // limit: pixels of a logo, each way
const start = 'data:image/png;base64,'

/** What a logo of the largest size takes as a `data:` address: four letters for three bytes. */
export const maxLogoText = start.length + 87_384 // limit: a logo as a `data:` address

/** The image of a `data:` address. */
export const readLogo = (text: string): Buffer => Buffer.from(text.slice(start.length), 'base64')

/**
 * Whether it is a PNG that a phone can draw: a small file may unpack into a picture that fills its memory. Width and height
 * stand first in the file, at bytes 16 and 20 (W3C PNG, 11.2.2).
 */
export function isLogo(text: string): boolean {
  const image = readLogo(text)
  if (image.length < 33 || image.length > maxLogoBytes) return false
  if (image.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n' || image.toString('latin1', 12, 16) !== 'IHDR')
    return false
  return [16, 20].every((at) => image.readUInt32BE(at) >= 1 && image.readUInt32BE(at) <= maxSide)
}
