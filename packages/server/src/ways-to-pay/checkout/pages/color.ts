import { type BrandColors, colorsOf, defaultBrand, normalHex } from '@pesewa/pages/colors'
import { LRUCache } from 'lru-cache'

/** Colours are cached, because computing those of a brand takes as long as rendering the page. */
const maxBrands = 1_000 // brand colours cached in memory
const cache = new LRUCache<string, BrandColors>({ max: maxBrands })

/**
 * Returns the colours for a brand, or the default colours if the brand is not `#RGB` or `#RRGGBB`. This ensures
 * that only hexadecimal values are written to a style.
 */
export function brandColors(primaryColor?: string): BrandColors {
  const brand = normalHex(primaryColor) ?? defaultBrand
  const colors = cache.get(brand) ?? colorsOf(brand)
  cache.set(brand, colors)
  return colors
}
