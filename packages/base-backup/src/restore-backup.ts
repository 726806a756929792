import * as fs from 'node:fs/promises'
import path from 'node:path'
import { embeddedMajor, placeEmbeddedPostgres } from '@pesewa/embedded-postgres'
import { type AboutBackup, passwordName, readAbout } from './backup-files.ts'
import { BackupError } from './base-backup.ts'
import { type ReadBackup, readBackup } from './read-backup.ts'
import type { TarEntry, TarSink } from './tar.ts'

/**
 * Matches files that may exist in a data folder that contains no database: remains of a failed start, or files
 * of the operator.
 */
const harmless = /^(?:secret\.key|postgres\.lock|postgres\.log(?:\.\d)?|postgres(?:\.new-|ql-).*)$/

/**
 * Restores a backup of an embedded database into an empty data folder. A failed restore leaves no database
 * behind.
 */
export async function restoreBackup(
  from: string,
  dataDir: string,
  onProgress: (progress: { done: number; total: number }) => void,
): Promise<ReadBackup & { about: AboutBackup }> {
  const about = await readAbout(from)
  if (!about.isEmbedded)
    throw new BackupError(
      'This is a backup of an external PostgreSQL server. Unpack base.tar.zst as its data directory (tar --zstd -xf), start it, and run pesewa verify.',
    )
  const [major, ours] = [Math.floor(about.postgresVersion / 10_000), await embeddedMajor()]
  if (major !== ours)
    throw new BackupError(
      `This is a backup of a PostgreSQL ${major} database, but this release runs PostgreSQL ${ours}: use the release of Pesewa that made the backup.`,
    )
  const present = await fs.readdir(dataDir).catch(() => [])
  const inTheWay = present.find((name) => !harmless.test(name))
  if (inTheWay !== undefined)
    throw new BackupError(
      `${path.resolve(dataDir)} is not empty (${inTheWay}): set DATA_DIR to an empty folder.`,
    )
  let read: ReadBackup | undefined
  await placeEmbeddedPostgres({
    dataDir,
    async unpack(home, owner) {
      const data = path.join(home, 'data')
      await makeFolder(data, owner)
      const password = path.join(home, passwordName)
      await fs.copyFile(path.join(from, passwordName), password)
      await fs.chmod(password, 0o600)
      if (owner) await fs.chown(password, owner.uid, owner.gid)
      read = await readBackup(
        from,
        (entry) => unpackEntry(data, entry, owner),
        (done) => onProgress({ done, total: about.databaseBytes }),
      )
    },
  })
  if (!read) throw new BackupError('The backup could not be read.')
  return { ...read, about }
}

type Owner = { uid: number; gid: number } | undefined

async function makeFolder(folder: string, owner: Owner): Promise<void> {
  await fs.mkdir(folder, { mode: 0o700 })
  if (owner) await fs.chown(folder, owner.uid, owner.gid)
}

/**
 * Matches the lock file of the embedded server's socket. The file is not restored, because it contains the id
 * of a process that is no longer running, and would prevent the server from starting.
 */
const runningServers = /^\.s\.PGSQL\./
const nowhere: TarSink = { write() {}, end() {} }

async function unpackEntry(data: string, { name, isFolder }: TarEntry, owner: Owner): Promise<TarSink> {
  const place = path.join(data, name)
  if (runningServers.test(name)) return nowhere
  if (isFolder) {
    await makeFolder(place, owner)
    return nowhere
  }
  const file = await fs.open(place, 'wx', 0o600)
  if (owner) await file.chown(owner.uid, owner.gid)
  return {
    write: async (bytes) => void (await file.writeFile(bytes)),
    end: () => file.close(),
  }
}
