const maxBytes = 64 * 1024
const startSide = 256

/** Any picture that the browser reads as a small PNG, as a `data:` address; throws where it can read none. */
export async function smallPng(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file)
  for (let side = startSide; side >= 16; side /= 2) {
    const png = drawn(picture, Math.min(1, side / Math.max(picture.width, picture.height)))
    // Four letters stand for three bytes.
    if ((png.length * 3) / 4 <= maxBytes) return png
  }
  throw new Error('a picture that does not get small')
}

function drawn(picture: ImageBitmap, scale: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}
