import { LRUCache } from 'lru-cache'
import QRCode from 'qrcode'

/**
 * A QR code as a single SVG path. `side` is its side length in modules, including the quiet zone that scanners
 * need.
 */
export type QrCode = { path: string; side: number }

/**
 * QR codes are cached, because a page is loaded more than once, and generating a code takes longer than
 * rendering the rest of the page.
 */
const maxCodes = 2_000
const margin = 4
const codes = new LRUCache<string, QrCode>({ max: maxCodes })

export function qrCode(text: string): QrCode {
  const cached = codes.get(text)
  if (cached) return cached
  // The code has a fixed mask and uses byte mode. Choosing the best of eight masks takes three times as long,
  // and so does optimizing the segments of a URL that is mostly random.
  const bytes = [{ data: Buffer.from(text), mode: 'byte' as const }]
  const { modules } = QRCode.create(bytes, { errorCorrectionLevel: 'L', maskPattern: 3 })
  const code = { path: pathOf(modules), side: modules.size + 2 * margin }
  codes.set(text, code)
  return code
}

/** Returns a path that draws each horizontal run of dark modules as one rectangle. */
function pathOf({ size, data }: { size: number; data: Uint8Array }): string {
  let path = ''
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      if (!data[y * size + x]) continue
      const from = x
      while (x + 1 < size && data[y * size + x + 1]) x += 1
      const length = x - from + 1
      path += `M${from + margin} ${y + margin}h${length}v1h-${length}z`
    }
  return path
}
