import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { codeOf, messageOf } from '@pesewa/values'
import {
  aboutName,
  archiveName,
  type LogRange,
  type Manifest,
  manifestName,
  manifestOf,
  passwordName,
  readListed,
  readSums,
  summing,
  sumsName,
} from './backup-files.ts'
import { BackupError } from './base-backup.ts'
import { readTar, type TarEntry, type TarSink } from './tar.ts'

export type ReadBackup = { files: number; databaseBytes: number }

/**
 * Reads every byte of a backup and verifies it against PostgreSQL's checksums and our own.
 *
 * @param unpack receives entries before they have been verified
 * @throws BackupError naming the file that is damaged, missing or unexpected
 */
export async function readBackup(
  folder: string,
  unpack: (entry: TarEntry) => Promise<TarSink> | TarSink = () => ({ write() {}, end() {} }),
  onProgress: (databaseBytes: number) => void = () => {},
): Promise<ReadBackup> {
  const sums = await readSums(folder)
  await readListed(folder, aboutName, sums)
  if (sums.has(passwordName)) await readListed(folder, passwordName, sums)
  const manifest = manifestOf(await readListed(folder, manifestName, sums))
  const check = createCheck(manifest)
  const whole = createHash('sha256')
  let databaseBytes = 0
  try {
    await pipeline(
      createReadStream(path.join(folder, archiveName), { highWaterMark: 1 << 18 }),
      summing(whole),
      createZstdDecompress(),
      (source: AsyncIterable<Buffer>) =>
        readTar(source, async (entry) => {
          const checked = check.open(entry)
          const sink = await unpack(entry)
          return {
            async write(bytes) {
              checked.update(bytes)
              databaseBytes += bytes.length
              onProgress(databaseBytes)
              await sink.write(bytes)
            },
            async end() {
              await sink.end()
              checked.end()
            },
          }
        }),
    )
    check.end()
  } catch (error) {
    const isOfArchive = error instanceof BackupError || /^(?:ZSTD|Z)_/.test(codeOf(error))
    if (!isOfArchive) throw error
    throw new BackupError(`${archiveName} is damaged: ${messageOf(error)}.`, { cause: error })
  }
  if (whole.digest('hex') !== sums.get(archiveName))
    throw new BackupError(`${archiveName} is damaged: its checksum differs from ${sumsName}.`)
  return { files: manifest.files.size, databaseBytes }
}

const logSegmentForm = /^pg_wal\/([0-9A-F]{24})$/
const logNoteForm = /^pg_wal\/(?:[0-9A-F]{8}\.history|archive_status\/[\w.]+)$/
const maxLogNoteBytes = 65_536 // size of a WAL history or status file in a backup
const maxSegmentBytes = 2 ** 30

/**
 * Checks that every listed file occurs exactly once, that any other files are WAL files, and that all WAL
 * needed for a consistent restore is present.
 */
function createCheck({ files, log }: Manifest) {
  const missing = new Map(files)
  const segments = new Map<string, number>()
  const judge = ({ name, isFolder, bytes }: TarEntry): { sha256?: string } => {
    if (isFolder) return {}
    const listed = missing.get(name)
    missing.delete(name)
    if (listed && listed.bytes !== bytes)
      throw new BackupError(`${name} has ${bytes} bytes, but ${manifestName} lists ${listed.bytes}`)
    if (listed) return { sha256: listed.sha256 }
    const segment = logSegmentForm.exec(name)?.[1]
    if (segment && !segments.has(segment) && bytes <= maxSegmentBytes) segments.set(segment, bytes)
    else if (!logNoteForm.test(name) || bytes > maxLogNoteBytes)
      throw new BackupError(`${name} is not in ${manifestName}`)
    return {}
  }
  return {
    open(entry: TarEntry) {
      const { sha256 } = judge(entry)
      const hash = createHash('sha256')
      return {
        update: (bytes: Buffer) => void (sha256 && hash.update(bytes)),
        end() {
          if (sha256 && hash.digest('hex') !== sha256)
            throw new BackupError(`the checksum of ${entry.name} differs from ${manifestName}`)
        },
      }
    },
    end() {
      const [lost] = missing.keys()
      if (lost !== undefined) throw new BackupError(`${lost} is missing`)
      for (const name of log.flatMap((range) => segmentsOf(range, segments.values().next().value ?? 0)))
        if (!segments.has(name)) throw new BackupError(`pg_wal/${name} is missing`)
    },
  }
}

/** Returns the names of all WAL segments in this range. */
function segmentsOf({ timeline, start, end }: LogRange, segmentBytes: number): string[] {
  if (segmentBytes === 0) throw new BackupError('the WAL is missing')
  const size = BigInt(segmentBytes)
  const perHigh = (1n << 32n) / size
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0')
  const names: string[] = []
  for (let number = start / size; number <= (end - 1n) / size; number++)
    names.push(hex(BigInt(timeline)) + hex(number / perHigh) + hex(number % perHigh))
  return names
}
