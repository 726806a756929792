/**
 * Returns whether a file is a PNG that a phone can show. The dimensions are limited, because a small file may
 * decompress to an image that exhausts the phone's memory. Width and height are at bytes 16 and 20 (W3C PNG,
 * 11.2.2).
 */
export function isPng(image: Buffer, { maxBytes, maxSide }: { maxBytes: number; maxSide: number }): boolean {
  if (image.length < 33 || image.length > maxBytes) return false
  if (image.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n' || image.toString('latin1', 12, 16) !== 'IHDR')
    return false
  return [16, 20].every((at) => image.readUInt32BE(at) >= 1 && image.readUInt32BE(at) <= maxSide)
}
