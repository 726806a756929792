/** Colour of providers whose own colour is not configured. */
const defaultColor = '#475569'

/** Font sizes for one, two and three letters. With these, even three Ms fit. */
const sizes = [22, 17, 12.5]

/**
 * Draws a logo for a provider without one: its initials on a tile in its colour. The tile looks like those in
 * `logos/`. Names of banks are long, so there are up to three letters.
 *
 * @param color `#RGB` or `#RRGGBB`
 */
export function drawInitials(name: string, color = defaultColor): Buffer {
  // Initials consist only of letters and digits, so they need no escaping.
  const initials = initialsOf(name)
  const size = sizes[[...initials].length - 1] ?? sizes[2]
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">
<rect width="40" height="40" rx="10" fill="${color}"/>
<text x="20" y="20" dy=".36em" text-anchor="middle" font-family="system-ui,Roboto,Arial,sans-serif" font-weight="700" font-size="${size}" fill="${inkOn(color)}">${initials}</text>
</svg>
`)
}

/**
 * Returns up to three initials. For example, `United Bank for Africa` and `UBA Sierra Leone` both become `UBA`,
 * because short words are left out and abbreviations are kept.
 */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = ''] = words
  if (/^\p{Lu}{2,3}$/u.test(first)) return first
  const main = words.filter((word) => !/^\p{Ll}/u.test(word))
  const initials = (main.length > 0 ? main : words).map((word) => [...word][0] ?? '')
  return initials.slice(0, 3).join('').toUpperCase() || '•'
}

/** Returns white or black, whichever has the higher contrast: at least 4.5:1, according to WCAG 2. */
function inkOn(color: string): string {
  const digits = color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color
  const value = Number.parseInt(digits.slice(1), 16)
  const [red = 0, green = 0, blue = 0] = [value >> 16, (value >> 8) & 255, value & 255].map(
    (channel) => (channel / 255) ** 2.2,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}
