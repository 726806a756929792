const maxBytes = 64 * 1024
const startSide = 256

/**
 * Converts an image to a small PNG and returns it as a `data:` URL. Throws if the browser cannot read the
 * image.
 */
export async function smallPng(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file)
  for (let side = startSide; side >= 16; side /= 2) {
    const png = toPng(picture, Math.min(1, side / Math.max(picture.width, picture.height)))
    // In Base64, four characters encode three bytes.
    if ((png.length * 3) / 4 <= maxBytes) return png
  }
  throw new Error('the image cannot be made small enough')
}

function toPng(picture: ImageBitmap, scale: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}
