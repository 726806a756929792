const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Returns the width and height of a PNG in pixels, read from its first chunk. */
export function pngSize(file: Buffer): { width: number; height: number } {
  if (file.length < 24 || !file.subarray(0, 8).equals(signature)) throw new Error('a picture must be a PNG')
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
}
