import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { codeOf } from '@pesewa/values'
import { type ArchivedMonth, markDropped } from '../../platform/db/archived-months.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { type Decider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { installationScope } from '../../tenants/spaces/chained-changes.ts'
import { ArchiveError } from './archive.ts'
import { archiveAction } from './archive-action.ts'
import {
  createArchived,
  dropArchived,
  findArchived,
  insertArchivedRows,
  walkArchivedRows,
} from './archive-file-store.ts'

/** A file with the rows of a table, one JSON object per line, compressed with gzip. */
type ArchiveFile = { table: string; file: string; rows: number; sha256: string }

/** Describes the files of a month. */
type Manifest = { month: string; untilId: string; files: ArchiveFile[] }

const manifestName = 'manifest.json'
const maxManifestBytes = 100_000
const fileMode = 0o600
const rowsAtOnce = 2_000 // rows read or written together

/** Returns whether rows of a month are in the database. They are not if it was dropped and not restored. */
export const isInDatabase = async (db: Reader, tables: string[]): Promise<boolean> =>
  (await findArchived(db, tables)).length > 0

/** Refuses a month that was dropped and not restored. */
export async function refuseDropped(db: Reader, { month, tables }: ArchivedMonth): Promise<void> {
  if (!(await isInDatabase(db, Object.keys(tables))))
    throw new ArchiveError(`${month} was dropped. Restore it first: pesewa archive restore --from FOLDER`)
}

/**
 * Writes an archived month to files in a new folder, and reads them back. Returns the folder, which only its owner can
 * read.
 */
export async function exportMonth(
  db: Database,
  archived: ArchivedMonth,
  parent: string,
): Promise<{ folder: string; rows: number }> {
  const { month, untilId, tables } = archived
  await refuseDropped(db, archived)
  const folder = path.resolve(parent, `pesewa-archive-${month}`)
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (codeOf(error) === 'EEXIST')
      throw new ArchiveError(`${folder} exists. Remove it, or choose another folder.`)
    if (codeOf(error) === 'ENOENT') throw new ArchiveError(`${path.resolve(parent)} does not exist.`)
    throw error
  })
  const files: ArchiveFile[] = []
  for (const table of Object.keys(tables)) {
    const file = `${table}.ndjson.gz`
    files.push({ table, file, ...(await writeRows(db, table, path.join(folder, file))) })
  }
  const manifest: Manifest = { month, untilId, files }
  // The folder is complete once the manifest exists.
  const draft = path.join(folder, `${manifestName}.new`)
  const handle = await open(draft, 'wx', fileMode)
  await handle.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`)
  await handle.sync()
  await handle.close()
  await rename(draft, path.join(folder, manifestName))
  await readExport(folder, tables)
  return { folder, rows: files.reduce((sum, { rows }) => sum + rows, 0) }
}

async function writeRows(
  db: Database,
  table: string,
  file: string,
): Promise<{ rows: number; sha256: string }> {
  let rows = 0
  const hash = createHash('sha256')
  const lines = async function* () {
    for await (const batch of walkArchivedRows(db, table, rowsAtOnce)) {
      rows += batch.length
      yield batch.map((row) => `${lineOf(row)}\n`).join('')
    }
  }
  const hashing = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk)
      done(undefined, chunk)
    },
  })
  await pipeline(
    Readable.from(lines()),
    createGzip(),
    hashing,
    createWriteStream(file, { flags: 'wx', flush: true, mode: fileMode }),
  )
  return { rows, sha256: hash.digest('hex') }
}

/** A row with a line break becomes a JSON string. */
const lineOf = (row: string) => (row.includes('\n') ? JSON.stringify(row) : row)
const rowOf = (line: string): string => (line.startsWith('"') ? JSON.parse(line) : line)

/**
 * Reads the files of a month, and returns its manifest.
 *
 * @param tables number of rows that each table must have
 * @throws ArchiveError if a file is missing or was changed
 */
async function readExport(folder: string, tables?: Record<string, number>): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const { files } = manifest
  for (const { file, sha256, rows } of files) {
    const place = path.join(folder, file)
    if (!existsSync(place)) throw new ArchiveError(`${place} is missing.`)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(place)) hash.update(chunk)
    const isWritten = hash.digest('hex') === sha256
    let lines = 0
    if (isWritten) for await (const _ of linesIn(place)) lines++
    if (!isWritten || lines !== rows) throw new ArchiveError(`${place} differs from the manifest.`)
  }
  if (tables)
    for (const [table, rows] of Object.entries(tables))
      if (files.find((file) => file.table === table)?.rows !== rows)
        throw new ArchiveError(`${folder} does not contain all rows of ${table}.`)
  return manifest
}

async function readManifest(folder: string): Promise<Manifest> {
  const place = path.join(folder, manifestName)
  const text = await readFile(place, 'utf8').catch(() => '')
  try {
    if (text.length > maxManifestBytes) throw new Error('too long')
    const { month, untilId, files } = JSON.parse(text)
    const isValid =
      /^\d{4}-\d\d$/.test(month) &&
      /^[0-9a-f-]{36}$/.test(untilId) &&
      files.every(
        ({ table, file, rows, sha256 }: ArchiveFile) =>
          /^[a-z_]+(_\d{4}_\d\d|_before)$/.test(table) &&
          file === `${table}.ndjson.gz` &&
          Number.isSafeInteger(rows) &&
          /^[0-9a-f]{64}$/.test(sha256),
      )
    if (!isValid) throw new Error('invalid')
    return { month, untilId, files }
  } catch {
    throw new ArchiveError(`${place} is missing or invalid.`)
  }
}

const linesIn = (file: string) =>
  createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity })

/** Drops the tables of an archived month, after its files were read and compared with what was archived. */
export async function dropMonth(
  db: Database,
  { month, untilId, tables }: ArchivedMonth,
  folder: string,
  decider: Decider,
): Promise<{ month: string; rows: number }> {
  const manifest = await readExport(folder, tables)
  if (manifest.untilId !== untilId) throw new ArchiveError(`${folder} contains ${manifest.month}.`)
  await db.transaction(async (tx) => {
    if (!(await isInDatabase(tx, Object.keys(tables))))
      throw new ArchiveError(`${month} has already been dropped.`)
    await dropArchived(tx, Object.keys(tables))
    await markDropped(tx, month, decider.by, new Date())
    const scope = installationScope('live')
    await writeAuditEntry(tx, scope, decider, {
      ...{ action: `${archiveAction}_drop`, objectType: 'space', objectId: scope.spaceId },
      details: {
        month,
        files: Object.fromEntries(manifest.files.map(({ table, sha256 }) => [table, sha256])),
      },
    })
  })
  return { month, rows: manifest.files.reduce((sum, { rows }) => sum + rows, 0) }
}

/** Restores the tables of a dropped month from its files, into the schema for archived months. */
export async function restoreMonth(db: Database, folder: string): Promise<{ month: string; rows: number }> {
  const { month, files } = await readExport(folder)
  await db.transaction(async (tx) => {
    const tables = files.map(({ table }) => table)
    if (await isInDatabase(tx, tables))
      throw new ArchiveError(`The rows of ${month} are already in the database.`)
    for (const { table, file } of files) {
      let batch: string[] = []
      const write = async () => {
        await insertArchivedRows(tx, table, batch)
        batch = []
      }
      await createArchived(tx, table)
      for await (const line of linesIn(path.join(folder, file))) {
        batch.push(rowOf(line))
        if (batch.length === rowsAtOnce) await write()
      }
      await write()
    }
  })
  return { month, rows: files.reduce((sum, { rows }) => sum + rows, 0) }
}
