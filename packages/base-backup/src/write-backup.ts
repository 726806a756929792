import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import {
  type AboutBackup,
  aboutName,
  archiveName,
  manifestName,
  passwordName,
  sha256,
  summing,
  sumsName,
} from './backup-files.ts'
import { type BackupSession, withBackupSession } from './backup-session.ts'
import { type BaseBackup, type Piece, withBaseBackup } from './base-backup.ts'
import { partialOf, removePartials, wholeOf } from './kept-backups.ts'
import { type ReadBackup, readBackup } from './read-backup.ts'

export type BackupRequest = {
  connection: pg.ClientConfig
  /** Folder that contains the backups. */
  to: string
  /** Password of the embedded server that is being backed up. */
  embeddedPassword?: string
  secretFingerprint: string | null
  onProgress?: (progress: { done: number; total: number }) => void
  /**
   * When this signal is aborted, the unfinished backup is removed. The removal is synchronous, because the
   * process may exit immediately afterwards.
   */
  interruption?: AbortSignal
}

export type WrittenBackup = ReadBackup & {
  location: string
  about: AboutBackup
  bytes: number
  verifiedAt: Date
}

/**
 * Backs up a running database. The backup is renamed to its final name once it is complete and verified. If it
 * fails, all of its files are removed.
 */
export async function writeBackup(wish: BackupRequest): Promise<WrittenBackup> {
  const to = path.resolve(wish.to)
  await fs.mkdir(to, { recursive: true, mode: 0o700 })
  return withBackupSession(wish.connection, (session) =>
    withBaseBackup(wish.connection, `pesewa ${session.begun.stamp}`, async (backup) => {
      // Only one backup of a database runs at a time, so any partial backup found here was left behind by a
      // killed process.
      await removePartials(to, backup.systemId)
      const partial = partialOf(to, backup.systemId, session.begun.stamp)
      // These calls are synchronous, so that no other code can run between the rename and the removal of the
      // listener.
      const remove = () => rmSync(partial, { recursive: true, force: true, maxRetries: 3 })
      mkdirSync(partial, { mode: 0o700 })
      wish.interruption?.addEventListener('abort', remove)
      try {
        const about = await writeFiles(partial, wish, session, backup)
        const read = await readBackup(partial)
        await syncFolder(partial)
        const location = wholeOf(to, session.begun.stamp)
        renameSync(partial, location)
        wish.interruption?.removeEventListener('abort', remove)
        await syncFolder(to)
        return { ...read, location, bytes: await sizeOf(location), about, verifiedAt: await session.now() }
      } catch (error) {
        remove()
        throw error
      }
    }),
  )
}

async function writeFiles(
  folder: string,
  wish: BackupRequest,
  session: BackupSession,
  { pieces, end, estimatedBytes, systemId }: BaseBackup,
): Promise<AboutBackup> {
  const { databaseBytes, sums } = await writePieces(folder, pieces, (done) =>
    wish.onProgress?.({ done, total: estimatedBytes }),
  )
  const { startedAt, postgresVersion, schemaVersion } = session.begun
  const about: AboutBackup = {
    form: 1,
    startedAt: startedAt.toISOString(),
    includesUntil: (await session.timeBefore(await end)).toISOString(),
    finishedAt: (await session.now()).toISOString(),
    systemId,
    postgresVersion,
    isEmbedded: wish.embeddedPassword !== undefined,
    schemaVersion,
    databaseBytes,
    secretFingerprint: wish.secretFingerprint,
  }
  const write = async (name: string, text: string) => {
    await fs.writeFile(path.join(folder, name), text, { mode: 0o600, flush: true })
    sums.push([name, sha256(Buffer.from(text))])
  }
  await write(aboutName, `${JSON.stringify(about, null, 2)}\n`)
  if (wish.embeddedPassword !== undefined) await write(passwordName, wish.embeddedPassword)
  await write(sumsName, sums.map(([name, sum]) => `${sum}  ${name}\n`).join(''))
  return about
}

/** Writes the archive and the manifest as their data arrives, and returns their checksums. */
async function writePieces(folder: string, pieces: AsyncIterable<Piece>, onProgress: (done: number) => void) {
  const iterator = pieces[Symbol.asyncIterator]()
  const manifest: Buffer[] = []
  let databaseBytes = 0
  async function* archive() {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      if (value.of === 'progress') onProgress(value.done)
      else if (value.of === 'manifest') manifest.push(value.bytes)
      else {
        databaseBytes += value.bytes.length
        yield value.bytes
      }
    }
  }
  const sum = createHash('sha256')
  await pipeline(
    Readable.from(archive(), { objectMode: false }),
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    summing(sum),
    createWriteStream(path.join(folder, archiveName), { mode: 0o600, flush: true }),
  )
  const listed = Buffer.concat(manifest)
  await fs.writeFile(path.join(folder, manifestName), listed, { mode: 0o600, flush: true })
  const sums: [name: string, sum: string][] = [
    [archiveName, sum.digest('hex')],
    [manifestName, sha256(listed)],
  ]
  return { databaseBytes, sums }
}

async function sizeOf(folder: string): Promise<number> {
  const stats = await Promise.all((await fs.readdir(folder)).map((name) => fs.stat(path.join(folder, name))))
  return stats.reduce((sum, { size }) => sum + size, 0)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder)
  await handle.sync().finally(() => handle.close())
}
