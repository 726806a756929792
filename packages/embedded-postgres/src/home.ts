// Manages the folder of a database, which contains PostgreSQL's `data` folder and the `password` with which the
// database was created.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, may, openSharedFolder, serverEnvironment, sharedFolder } from './account.ts'
import { EmbeddedPostgresError, errorOf, failureIn, ignore } from './failure.ts'
import { isPresent, randomName, sync } from './files.ts'

export async function findHome(
  folder: string,
  version: string,
  account: Account,
): Promise<string | undefined> {
  const link = join(folder, 'postgres')
  if (!(await isPresent(link))) return undefined
  const home = await fs.realpath(link).catch(ignore('ENOENT'))
  const versionFile = join(home ?? link, 'data', 'PG_VERSION')
  if (!home || !(await isPresent(versionFile))) {
    throw new EmbeddedPostgresError(
      `${home ?? (await fs.readlink(link))} no longer contains a database: restore it, or remove ${link} to start with an empty one`,
    )
  }
  if (!may(account, '-r', versionFile)) {
    throw new EmbeddedPostgresError(
      `the server's user (id ${account.uid}) cannot read ${versionFile}: make that user the owner (chown -R ${account.uid}:${account.gid} ${home}) and give it access to the parent folders`,
    )
  }
  const dataMajor = (await fs.readFile(versionFile, 'utf8')).trim()
  const [major] = version.split('.')
  if (dataMajor === major) return home
  throw new EmbeddedPostgresError(
    `the database in ${home} was written by PostgreSQL ${dataMajor}, but this release runs PostgreSQL ${major}: start the release of Pesewa that wrote it, or serve it with PostgreSQL ${dataMajor} and set DATABASE_URL`,
  )
}

export const createHome = (
  folder: string,
  native: string,
  account: Account,
  onCreate?: () => void,
): Promise<string> => fillHome(folder, account, (home) => initialise(home, native, account, onCreate))

/** Creates the folder of a database. The folder appears only once it is complete. */
export async function fillHome(
  folder: string,
  account: Account,
  fill: (home: string) => Promise<void>,
): Promise<string> {
  await removeUnfinished(folder)
  const name = randomName()
  const unfinished = join(folder, `postgres.new-${name}`)
  let home = unfinished
  if (!may(account, '-x', folder)) {
    // The name is random, so that a new data folder never adopts the database of a deleted one.
    home = join(await openSharedFolder(), `data-${name}`)
    await fs.symlink(home, unfinished)
  }
  try {
    await fs.mkdir(home, { mode: 0o700 })
    if (account.uid !== undefined) await fs.chown(home, account.uid, account.gid)
    await fill(home)
    await fs.rename(unfinished, join(folder, 'postgres'))
    await sync(folder)
  } catch (error) {
    await removeUnfinished(folder)
    throw error
  }
  return await fs.realpath(join(folder, 'postgres'))
}

// This also removes files left behind by a killed process. Its initdb may still be creating files, which is why
// the removal is retried.
async function removeUnfinished(folder: string): Promise<void> {
  const everything = { recursive: true, force: true, maxRetries: 20, retryDelay: 10 }
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith('postgres.new-')) continue
    const path = join(folder, name)
    const target = await fs.readlink(path).catch(ignore('EINVAL'))
    if (target && dirname(target) === sharedFolder) await fs.rm(target, everything)
    await fs.rm(path, everything)
  }
}

async function initialise(
  home: string,
  native: string,
  account: Account,
  onCreate?: () => void,
): Promise<void> {
  const passwordFile = join(home, 'password')
  await fs.writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account.uid !== undefined) await fs.chown(passwordFile, account.uid, account.gid)
  const options = [
    `--pgdata=${join(home, 'data')}`,
    '--username=pesewa',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // C.UTF-8 is built into PostgreSQL, so upgrading the system's C library cannot change the order of an
    // index.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ]
  const asServer = { ...account, cwd: '/', env: serverEnvironment }
  try {
    const created = promisify(execFile)(join(native, 'bin', 'initdb'), options, asServer)
    onCreate?.()
    await created
  } catch (error) {
    const { stderr: said } = errorOf(error)
    if (!said) throw error
    throw new EmbeddedPostgresError(`the database could not be created in ${home}: ${failureIn(said)}`)
  }
}

/** Flushes an unpacked data folder to disk, which must be done before the server starts. */
export async function syncData(home: string, native: string, account: Account): Promise<void> {
  const asServer = { ...account, cwd: '/', env: serverEnvironment }
  await promisify(execFile)(
    join(native, 'bin', 'initdb'),
    ['--sync-only', `--pgdata=${join(home, 'data')}`],
    asServer,
  )
}
