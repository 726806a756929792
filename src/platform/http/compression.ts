import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  crc32,
  deflateRawSync,
  gzip,
  gzipSync,
} from 'node:zlib'
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

/** A part that many pages have in common, packed once. */
export type SharedPart = { text: string; packed: Buffer }

/** Where it ends, a full flush: blocks of another making may follow (RFC 1951, 3.2.3). */
export const sharePart = (text: string): SharedPart => ({
  text,
  packed: deflateRawSync(text, { level: 9, finishFlush: constants.Z_FULL_FLUSH }),
})

/**
 * A page as gzip: its shared part as it was packed once, the little before it as it is, and what follows packed now. Without
 * `packsRest` that is sent as it is, too: then the length of the response says nothing of what is in it.
 */
export function packAround(page: string, { text, packed }: SharedPart, packsRest = true): Buffer {
  const at = page.indexOf(text)
  assert(at >= 0, 'a page that is packed around a part must contain it')
  const bytes = Buffer.from(page)
  const before = bytes.subarray(0, Buffer.byteLength(page.slice(0, at)))
  const rest = bytes.subarray(before.length + Buffer.byteLength(text))
  const end = packsRest ? [deflateRawSync(rest, smallPage)] : [...storedBlocks(rest), lastBlock]
  return Buffer.concat([gzipHeader, ...storedBlocks(before), packed, ...end, gzipTrailer(bytes)])
}

/** Less memory to make ready than for a long text, and no thread to hand it to: that would take as long again. */
const smallPage = { windowBits: 13, memLevel: 7 }

/** No name, no time, of no certain system (RFC 1952, 2.3). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

function gzipTrailer(bytes: Buffer): Buffer {
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(bytes))
  trailer.writeUInt32LE(bytes.length % 2 ** 32, 4)
  return trailer
}

const storedBlockBytes = 65_535

/** As they are (RFC 1951, 3.2.4); none of them is the last. */
function storedBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += storedBlockBytes) {
    const block = bytes.subarray(at, at + storedBlockBytes)
    const header = Buffer.alloc(5)
    header.writeUInt16LE(block.length, 1)
    header.writeUInt16LE(storedBlockBytes - block.length, 3)
    blocks.push(header, block)
  }
  return blocks
}

/** An empty one, stored, that says it is the last. */
const lastBlock = Buffer.from([1, 0, 0, 255, 255])
