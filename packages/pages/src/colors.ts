// Makes a merchant's brand colour legible, according to WCAG 2 contrast.

export type BrandColors = {
  /** Background of the pay button and the merchant's badge. */
  brand: string
  /** Colour of text on `brand`, with a contrast of at least 4.5:1. */
  onBrand: string
  /** Colour of text, marks and focus rings on a light page, with a contrast of at least 4.5:1. */
  brandText: string
  /** Like `brandText`, but for a dark page. */
  brandTextDark: string
}

/** The surface with the lowest contrast in each mode. `base.css` contains the same values. */
export const surface = { light: '#f5f6f8', dark: '#1b2026' } as const

/** The colour of merchants that have not chosen any. */
export const defaultBrand = '#0f6b4f'
const white = '#ffffff'
// This is the lightest black that can be used, because on a medium grey, neither white nor #070707 reaches
// 4.5:1.
const nearBlack = '#050505'
const readable = 4.5

type Rgb = readonly [red: number, green: number, blue: number]

/** Returns the colours for a brand colour in the form `#rrggbb`. */
export function colorsOf(brand: string): BrandColors {
  return {
    brand,
    onBrand: contrast(white, brand) >= contrast(nearBlack, brand) ? white : nearBlack,
    brandText: towards('#000000', brand, surface.light),
    brandTextDark: towards(white, brand, surface.dark),
  }
}

/** Returns the WCAG 2 contrast ratio of two `#RRGGBB` colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Returns a colour in the form `#rrggbb`, or `undefined` if it is not `#RGB` or `#RRGGBB`. */
export function normalHex(color: string | undefined): string | undefined {
  if (color === undefined || !/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color)) return undefined
  const hex = color.toLowerCase()
  return hex.length === 7 ? hex : hex.replace(/[0-9a-f]/g, (digit) => digit + digit)
}

/** Returns the first mixture of `color` and `end` that is legible on `background`. */
function towards(end: string, color: string, background: string): string {
  const steps = 50
  for (let step = 0; step < steps; step += 1) {
    const mixed = mix(color, end, step / steps)
    if (contrast(mixed, background) >= readable) return mixed
  }
  return end
}

function mix(from: string, to: string, share: number): string {
  const target = rgb(to)
  const channels = rgb(from).map((value, i) => Math.round(value + ((target[i] ?? 0) - value) * share))
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: string): number {
  const [red, green, blue] = rgb(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function rgb(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
