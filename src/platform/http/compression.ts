import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { acceptedBy } from './accept.ts'

export type Encoding = 'br' | 'gzip'

/** The better of our two encodings that a client takes. */
export function encodingOf(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = acceptedBy(acceptEncoding)
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding))
}

/** Once, and as small as it gets: for what is served unchanged. */
export const pack: Record<Encoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body),
  gzip: (body) => gzipSync(body, { level: 9 }),
}

/** For each page anew: quality 4 takes a fifth of a millisecond, and 11 would take thirty. */
export const packNow: Record<Encoding, (body: string) => Promise<Buffer>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => zip(body),
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
