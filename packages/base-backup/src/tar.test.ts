import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTar } from './tar.ts'

const block = 512

/** Creates one entry in the format that PostgreSQL writes. */
function entry(
  name: string,
  content = '',
  { type = '0', size = content.length, magic = 'ustar' } = {},
): Buffer {
  const header = Buffer.alloc(block)
  header.write(name, 0)
  header.write(size.toString(8).padStart(11, '0'), 124)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write(magic, 257)
  header.write(
    header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(7, '0'),
    148,
  )
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc(-content.length & (block - 1))])
}

const end = Buffer.alloc(2 * block)

/** Reads an archive that arrives in pieces of this size. */
async function read(archive: Buffer, pieceBytes = archive.length) {
  const files: Record<string, string> = {}
  async function* pieces() {
    for (let at = 0; at < archive.length; at += pieceBytes) yield archive.subarray(at, at + pieceBytes)
  }
  await readTar(pieces(), ({ name, isFolder }) => {
    files[name] = isFolder ? '/' : ''
    return { write: (bytes) => void (files[name] += bytes.toString()), end() {} }
  })
  return files
}

test('files and folders are read the same way, however the bytes arrive', async () => {
  const long = 'x'.repeat(1_000)
  const archive = Buffer.concat([
    entry('./base', '', { type: '5' }),
    entry('base/1', long),
    entry('empty'),
    end,
  ])
  for (const pieceBytes of [1, 7, block, archive.length])
    assert.deepEqual(await read(archive, pieceBytes), { base: '/', 'base/1': long, empty: '' })
})

test('an entry that leads out of its folder, or is not a file or folder, is refused', async () => {
  for (const name of ['../out', 'base/../../out', '/etc/passwd', 'a//b', '', 'a\nb'])
    await assert.rejects(read(Buffer.concat([entry(name, 'x'), end])), /an unexpected entry/)
  for (const type of ['1', '2', '3', 'L', 'x'])
    await assert.rejects(read(Buffer.concat([entry('base', '', { type }), end])), /an unexpected entry/)
})

test('an archive that is truncated, has data after its end, or has another format is refused', async () => {
  const whole = Buffer.concat([entry('base', 'content'), end])
  for (const bytes of [0, 100, block, block + 3, 2 * block])
    await assert.rejects(read(whole.subarray(0, bytes)), /is truncated/)
  await assert.rejects(read(Buffer.concat([whole, entry('more')])), /after its end/)
  await assert.rejects(
    read(Buffer.concat([entry('base', 'x', { magic: 'other' }), end])),
    /not a PostgreSQL backup archive/,
  )
  const bent = Buffer.from(whole)
  bent[3]! ^= 1
  await assert.rejects(read(bent), /not a PostgreSQL backup archive/)
})
