import { LRUCache } from 'lru-cache'
import QRCode from 'qrcode'

/** A QR code as one SVG path of squares, and the length of its side in them, with the margin that scanners need. */
export type QrCode = { path: string; side: number }

/** Cached: a page is loaded more than once, and a code takes longer than the rest of the page. */
const maxCodes = 2_000 // limit: QR codes of pages in memory
const margin = 4
const codes = new LRUCache<string, QrCode>({ max: maxCodes })

export function qrCode(text: string): QrCode {
  const cached = codes.get(text)
  if (cached) return cached
  // Any mask can be read: to choose the best of eight takes three times as long. So does looking for a shorter way to write
  // parts of an address that is random letters for the most part.
  const bytes = [{ data: Buffer.from(text), mode: 'byte' as const }]
  const { modules } = QRCode.create(bytes, { errorCorrectionLevel: 'L', maskPattern: 3 })
  const code = { path: pathOf(modules), side: modules.size + 2 * margin }
  codes.set(text, code)
  return code
}

/** Each run of dark squares in a row becomes one rectangle. */
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
