// Runs PostgreSQL for a program that has no DATABASE_URL. It is the real server from its platform package. It listens
// only on a unix socket and keeps its data in one folder. The next start must work, no matter how the last run ended.
//
//   dataDir/postgres/           the database: data/, and the password it was created with. This is a link into
//                               /var/lib/pesewa if root runs the program and the server's user cannot enter
//                               dataDir. Both are renamed into place together, so they always match.
//   dataDir/postgres.lock       held by the program that runs the server
//   dataDir/postgres.log, .1    the server's log
//   dataDir/postgresql-…/       the server's binaries, only if their package lacks links and is read-only

import * as fs from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverAccount } from './account.ts'
import { type Binaries, findBinaries, usableBinaries } from './binaries.ts'
import { EmbeddedPostgresError, explain, ignore } from './failure.ts'
import { isPresent } from './files.ts'
import { createHome, fillHome, findHome, syncData } from './home.ts'
import { type EmbeddedPostgres, findRunning, launch, type Start, stopOrphan } from './server.ts'

export { type EmbeddedPostgres, EmbeddedPostgresError }

/**
 * Starts the server. Apart from bugs, it throws only `EmbeddedPostgresError`. `settings` override our default
 * settings for PostgreSQL. `onCreate` is called while another process creates a new database, which takes seconds.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  settings?: Record<string, string>
  onCreate?: () => void
}): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir)
  try {
    const binaries = await findBinaries()
    await fs.mkdir(folder, { recursive: true })
    const lock = await lockFolder(folder)
    try {
      const found = await findHomeAndPrograms(folder, binaries, options.onCreate)
      return await launchPatiently({ folder, lock, settings: options.settings ?? {}, ...found })
    } catch (error) {
      lock.close()
      throw error
    }
  } catch (error) {
    throw explain(error, folder)
  }
}

/**
 * Installs a database that `unpack` writes into `home` as `data` and `password`, owned by `owner` if given. The
 * database appears in the data folder only once it is complete.
 */
export async function placeEmbeddedPostgres(options: {
  dataDir: string
  unpack(home: string, owner: { uid: number; gid: number } | undefined): Promise<void>
}): Promise<void> {
  const folder = resolve(options.dataDir)
  try {
    const binaries = await findBinaries()
    await fs.mkdir(folder, { recursive: true })
    const lock = await lockFolder(folder)
    try {
      if (await hasEmbeddedPostgres(folder))
        throw new EmbeddedPostgresError(
          `${folder} already contains a database: set DATA_DIR to an empty folder`,
        )
      const account = await serverAccount(folder)
      const native = await usableBinaries(binaries, folder, account)
      const owner = account.uid === undefined ? undefined : { uid: account.uid, gid: account.gid }
      await fillHome(folder, account, async (home) => {
        await options.unpack(home, owner)
        await syncData(home, native, account)
      })
    } finally {
      lock.close()
    }
  } catch (error) {
    throw explain(error, folder)
  }
}

/** Returns the major version of the embedded server. */
export const embeddedMajor = async () => Number.parseInt((await findBinaries()).version, 10)

/** Returns whether this folder contains a database, whether or not its server is running. */
export const hasEmbeddedPostgres = (dataDir: string): Promise<boolean> => isPresent(join(dataDir, 'postgres'))

/**
 * Returns the connection settings for the server that another program runs on this folder. Used by commands
 * that run alongside that program.
 */
export async function runningEmbeddedPostgres(
  dataDir: string,
): Promise<EmbeddedPostgres['connection'] | undefined> {
  const home = await fs.realpath(join(dataDir, 'postgres')).catch(ignore('ENOENT'))
  return home === undefined ? undefined : findRunning(home)
}

const lingeringLimitMs = 10_000
const lingeringPollMs = 4

async function findHomeAndPrograms(folder: string, packaged: Binaries, onCreate?: () => void) {
  const account = await serverAccount(folder)
  const native = await usableBinaries(packaged, folder, account)
  const home =
    (await findHome(folder, packaged.version, account)) ??
    (await createHome(folder, native, account, onCreate))
  return { account, native, home }
}

async function launchPatiently(start: Start): Promise<EmbeddedPostgres> {
  await stopOrphan(join(start.home, 'data'))
  const lingeringUntil = Date.now() + lingeringLimitMs
  for (;;) {
    try {
      return await launch(start)
    } catch (error) {
      // The child processes of a killed server exit a moment later. Until then, their shared memory prevents a
      // new server from starting.
      const isLingering = error instanceof Error && error.message.includes('pre-existing shared memory block')
      if (!isLingering || Date.now() > lingeringUntil) throw error
      await sleep(lingeringPollMs)
    }
  }
}

// Node has no file locks, so SQLite's lock is used. The kernel releases it when the process ends for any
// reason, so it is never stale like a pid file can be, and it also works across containers.
async function lockFolder(folder: string): Promise<DatabaseSync> {
  const path = join(folder, 'postgres.lock')
  await fs.access(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  // If the file exists, it must not be opened here, because closing another descriptor of the file would
  // release this process's lock.
  await fs.writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch(ignore('EEXIST'))
  await fs.access(path, fs.constants.R_OK | fs.constants.W_OK)
  const lock = new DatabaseSync(path)
  try {
    // Avoids a journal file, which could not be written on a full disk.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && error.message.includes('locked'))) throw error
    throw new EmbeddedPostgresError(
      `${folder} is in use by another Pesewa process: stop it first, or set DATA_DIR to another folder`,
    )
  }
}
