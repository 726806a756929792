import { BackupError } from './base-backup.ts'

// Reads tar archives in the format that PostgreSQL writes: plain ustar, with names short enough for the name
// field.

export type TarEntry = { name: string; isFolder: boolean; bytes: number }

/** Receives the content of one file in an archive, piece by piece. */
export type TarSink = { write(bytes: Buffer): Promise<void> | void; end(): Promise<void> | void }

const blockBytes = 512

/**
 * Reads the archive to its end, buffering at most one piece.
 * @param open is called with each entry and returns the destination of its content
 * @throws BackupError if the archive is truncated or has another format
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  open: (entry: TarEntry) => Promise<TarSink> | TarSink,
): Promise<void> {
  const bytes = createBytes(source)
  for (;;) {
    const header = await bytes.exactly(blockBytes)
    if (header.every((byte) => byte === 0)) break
    const entry = entryOf(header)
    const sink = await open(entry)
    for await (const piece of bytes.upTo(entry.bytes)) await sink.write(piece)
    await sink.end()
    await bytes.exactly(-entry.bytes & (blockBytes - 1))
  }
  // After the end of the archive, only zero bytes are allowed.
  for await (const piece of bytes.rest())
    if (piece.some((byte) => byte !== 0)) throw new BackupError('it has data after its end')
}

function entryOf(header: Buffer): TarEntry {
  const text = (start: number, end: number) => header.toString('utf8', start, end).split('\0', 1)[0] ?? ''
  const octal = (start: number, end: number) => Number.parseInt(text(start, end).trim() || '0', 8)
  const summed = header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (text(257, 262) !== 'ustar' || octal(148, 156) !== summed)
    throw new BackupError('it is not a PostgreSQL backup archive')
  const [name, type, bytes] = [
    text(0, 100).replace(/^\.\//, '').replace(/\/$/, ''),
    text(156, 157),
    octal(124, 136),
  ]
  // Names are untrusted and must not point outside the folder.
  const isInside = /^[\w.-]+(?:\/[\w.-]+)*$/.test(name) && !name.split('/').includes('..')
  const isFolder = type === '5'
  if (!isInside || text(345, 500) !== '' || !['', '0', '5'].includes(type) || (isFolder && bytes !== 0))
    throw new BackupError(`it has an unexpected entry: ${JSON.stringify(name)}`)
  return { name, isFolder, bytes }
}

/** Reads exact numbers of bytes from a stream of arbitrarily sized pieces. */
function createBytes(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const next = async () => {
    const { done, value } = await iterator.next()
    if (done) return false
    held = value
    return true
  }
  async function* upTo(count: number): AsyncIterable<Buffer> {
    let missing = count
    while (missing > 0) {
      if (held.length === 0 && !(await next())) throw new BackupError('it is truncated')
      const piece = held.subarray(0, missing)
      held = held.subarray(piece.length)
      missing -= piece.length
      if (piece.length > 0) yield piece
    }
  }
  return {
    upTo,
    async exactly(count: number) {
      const pieces: Buffer[] = []
      for await (const piece of upTo(count)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
    async *rest() {
      do yield held
      while (await next())
    },
  }
}
