import { createHash, createHmac, type Hash } from 'node:crypto'
import * as fs from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '@pesewa/values'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { BackupError } from './base-backup.ts'

// A backup is a folder:
//
//   base.tar.zst      all files of the server and the WAL that makes them consistent, as pg_basebackup writes them
//   backup_manifest   PostgreSQL's list of these files, with the SHA-256 of each
//   backup.json       a description of the backup
//   password          the password of the embedded server's user
//   SHA256SUMS        the checksums of the files above, for sha256sum --check
//
// The folder's name begins with a dot until it has been completed, verified and flushed to disk.

export const archiveName = 'base.tar.zst'
export const manifestName = 'backup_manifest'
export const aboutName = 'backup.json'
export const passwordName = 'password'
export const sumsName = 'SHA256SUMS'

const maxSmallFileBytes = 256 * 1024 * 1024 // size of the manifest of a backup

const about = Type.Object(
  {
    form: Type.Literal(1),
    startedAt: Type.String(),
    finishedAt: Type.String(),
    includesUntil: Type.String(),
    systemId: Type.String({ pattern: '^\\d{1,20}$' }),
    postgresVersion: Type.Integer(),
    isEmbedded: Type.Boolean(),
    schemaVersion: Type.Integer(),
    databaseBytes: Type.Integer(),
    secretFingerprint: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
)

/** The content of `backup.json`, which describes the backup. All times come from the database's clock. */
export type AboutBackup = Type.Static<typeof about>

/** A fingerprint that identifies the secret key without revealing it. */
export const fingerprintOf = (secretKey: string) =>
  createHmac('sha256', secretKey).update('pesewa backup').digest('hex').slice(0, 16)

export async function readAbout(folder: string): Promise<AboutBackup> {
  const text = await readSmall(folder, aboutName)
  const value: unknown = parseJson(text.toString(), aboutName)
  if (Compile(about).Check(value)) return value
  throw new BackupError(`${aboutName} is damaged, or was written by a newer release of Pesewa.`)
}

/** Reads the SHA256SUMS file in a folder and returns a map from file names to checksums. */
export async function readSums(folder: string): Promise<Map<string, string>> {
  const lines = (await readSmall(folder, sumsName)).toString().split('\n').slice(0, -1)
  const sums = lines.map((line) => /^([0-9a-f]{64}) {2}([\w.]+)$/.exec(line)?.slice(1, 3) ?? [])
  const byName = new Map(sums.map(([sum = '', name = '']) => [name, sum]))
  for (const name of [archiveName, manifestName, aboutName])
    if (!byName.has(name)) throw new BackupError(`${sumsName} is damaged: ${name} is missing from it.`)
  if (byName.has('')) throw new BackupError(`${sumsName} is damaged.`)
  return byName
}

/**
 * Reads a file that is listed in `SHA256SUMS`, and verifies its checksum. The file must be small enough to fit
 * in memory.
 */
export async function readListed(folder: string, name: string, sums: Map<string, string>): Promise<Buffer> {
  const bytes = await readSmall(folder, name)
  if (sha256(bytes) === sums.get(name)) return bytes
  throw new BackupError(`${name} is damaged: its checksum differs from ${sumsName}.`)
}

async function readSmall(folder: string, name: string): Promise<Buffer> {
  const file = path.join(folder, name)
  try {
    if ((await fs.stat(file)).size > maxSmallFileBytes)
      throw new BackupError(`${name} is too large to be part of a backup.`)
    return await fs.readFile(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      throw new BackupError(`${name} is missing: ${folder} is not a complete backup.`)
    throw error
  }
}

/** Returns a stream transform that passes data through unchanged and updates `hash` with it. */
export const summing = (hash: Hash) =>
  async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const piece of source) {
      hash.update(piece)
      yield piece
    }
  }

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const manifestShape = Compile(
  Type.Object({
    Files: Type.Array(
      Type.Object({
        Path: Type.String(),
        Size: Type.Integer({ minimum: 0 }),
        'Checksum-Algorithm': Type.Literal('SHA256'),
        Checksum: Type.String(),
      }),
    ),
    'WAL-Ranges': Type.Array(
      Type.Object({ Timeline: Type.Integer(), 'Start-LSN': Type.String(), 'End-LSN': Type.String() }),
    ),
    'Manifest-Checksum': Type.String(),
  }),
)

export type ListedFile = { bytes: number; sha256: string }
export type LogRange = { timeline: number; start: bigint; end: bigint }
export type Manifest = { files: Map<string, ListedFile>; log: LogRange[] }

/** Parses PostgreSQL's backup manifest: https://www.postgresql.org/docs/current/backup-manifest-format.html */
export function manifestOf(bytes: Buffer): Manifest {
  const text = bytes.toString()
  const manifest: unknown = parseJson(text, manifestName)
  // The manifest's own checksum covers everything before its last line.
  const summed = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)
  if (!manifestShape.Check(manifest) || manifest['Manifest-Checksum'] !== sha256(Buffer.from(summed)))
    throw new BackupError(`${manifestName} is damaged.`)
  return {
    files: new Map(
      manifest.Files.map(({ Path, Size, Checksum }) => [Path, { bytes: Size, sha256: Checksum }]),
    ),
    log: manifest['WAL-Ranges'].map((range) => ({
      timeline: range.Timeline,
      start: positionOf(range['Start-LSN']),
      end: positionOf(range['End-LSN']),
    })),
  }
}

/** Parses a WAL position such as `1A/2B3C`. */
function positionOf(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (!high || !low) throw new BackupError(`${manifestName} is damaged: ${text} is not a WAL position.`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BackupError(`${name} is damaged.`, { cause: error })
  }
}
