const maxBytes = 64 * 1024
const maxFileBytes = 5 * 1024 * 1024
const startSide = 256

/** Why a file cannot be a logo. */
export type PictureFault = 'empty' | 'tooLarge' | 'withScript' | 'unreadable'

/** A small PNG as a `data:` URL, or the reason why there is none. */
type Picture = { png: string } | { fault: PictureFault }

/** Converts an image file to a small PNG. */
export async function readPicture(file: Blob): Promise<Picture> {
  if (file.size === 0) return { fault: 'empty' }
  if (file.size > maxFileBytes) return { fault: 'tooLarge' }
  if (file.type.includes('svg') && hasScript(await file.text())) return { fault: 'withScript' }
  const url = URL.createObjectURL(file)
  try {
    // An image element runs no scripts and loads nothing, not even an SVG that refers to other files.
    const image = new Image()
    image.src = url
    await image.decode()
    return { png: smallPng(image) }
  } catch {
    return { fault: 'unreadable' }
  } finally {
    URL.revokeObjectURL(url)
  }
}

const hasScript = (svg: string) => /<script|<foreignobject|\son[a-z]+\s*=|javascript:/i.test(svg)

function smallPng(image: HTMLImageElement): string {
  for (let side = startSide; side >= 16; side /= 2) {
    const png = draw(image, side).canvas.toDataURL('image/png')
    // In Base64, four characters encode three bytes.
    if ((png.length * 3) / 4 <= maxBytes) return png
  }
  throw new Error('the image cannot be made small enough')
}

/** Draws an image on a canvas whose sides are at most `side` pixels long. */
function draw(image: HTMLImageElement, side: number): CanvasRenderingContext2D {
  // An SVG may have no size of its own.
  const { naturalWidth: width = 0, naturalHeight: height = 0 } = image
  const [wide, high] = width && height ? [width, height] : [side, side]
  const scale = Math.min(1, side / Math.max(wide, high))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(wide * scale))
  canvas.height = Math.max(1, Math.round(high * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('the browser cannot draw images')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return context
}

/** Returns the pixels of an image that has loaded, reduced to at most 256 × 256. */
export function pixelsOf(image: HTMLImageElement): Uint8ClampedArray {
  const context = draw(image, startSide)
  return context.getImageData(0, 0, context.canvas.width, context.canvas.height).data
}
