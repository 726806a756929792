const maxColors = 5
/** Colours whose channels all differ by less than this look alike. */
const alike = 48
const light = 240
const minShare = 0.005

type Shade = { hex: string; rgb: number[]; count: number }

/**
 * Returns up to five distinct colours of an image, beginning with the most frequent and colourful. Transparent
 * pixels are ignored, and nearly white ones are only returned if there are no others, because they are mostly the
 * background. The result depends only on which pixels there are, not on their order.
 *
 * @param pixels red, green, blue and alpha of each pixel, from 0 to 255
 */
export function paletteOf(pixels: ArrayLike<number>): string[] {
  const shades = shadesIn(pixels)
  const colored = preferred(shades, ({ rgb }) => rgb.some((channel) => channel < light))
  const total = colored.reduce((sum, { count }) => sum + count, 0)
  // Where two colours meet, a few pixels are a mixture of them.
  const frequent = preferred(colored, ({ count }) => count >= total * minShare)
  const palette: Shade[] = []
  for (const shade of frequent.sort(byWeight)) {
    if (palette.length === maxColors) break
    if (palette.every((other) => distance(shade, other) >= alike)) palette.push(shade)
  }
  return palette.map(({ hex }) => hex)
}

/** Returns the shades that fit or, if none does, all of them. */
const preferred = (shades: Shade[], fits: (shade: Shade) => boolean): Shade[] =>
  shades.some(fits) ? shades.filter(fits) : shades

/** Groups the pixels into 4,096 cubes. The most frequent colour of each stands for all of its pixels. */
function shadesIn(pixels: ArrayLike<number>): Shade[] {
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [0, 1, 2, 3].map((i) => pixels[at + i])
    const color = (red << 16) | (green << 8) | blue
    if (alpha >= 128) counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const cubes = new Map<number, Shade & { most: number }>()
  for (const [color, count] of [...counts].sort(([a], [b]) => a - b)) {
    const cube = cubes.get(color & 0xf0f0f0)
    if (cube) cube.count += count
    if (cube && cube.most >= count) continue
    const rgb = [color >> 16, (color >> 8) & 255, color & 255]
    const hex = `#${color.toString(16).padStart(6, '0')}`
    cubes.set(color & 0xf0f0f0, { hex, rgb, count: cube?.count ?? count, most: count })
  }
  return [...cubes.values()]
}

/** Colourful shades count more than grey ones. */
const weightOf = ({ rgb, count }: Shade) => count * (16 + Math.max(...rgb) - Math.min(...rgb))
const byWeight = (a: Shade, b: Shade) => weightOf(b) - weightOf(a) || (a.hex < b.hex ? -1 : 1)

const distance = (one: Shade, other: Shade) =>
  Math.max(...one.rgb.map((channel, i) => Math.abs(channel - (other.rgb[i] ?? 0))))
