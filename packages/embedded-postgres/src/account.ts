// Determines the user that the server runs as, and the files that this user can access.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError, ignore } from './failure.ts'

/** Ids of the user that the server runs as. Empty if it is the current user. */
export type Account = { uid: number; gid: number } | Record<string, never>

// PostgreSQL refuses to run as root. Existing data keeps its owner, regardless of which user starts the program
// next.
export async function serverAccount(folder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const owner = await fs.stat(join(folder, 'postgres')).catch(ignore('ENOENT'))
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = (await fs.readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name)
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody": run as another user, or set DATABASE_URL',
  )
}

// Tests access as the server's user, because file modes do not reflect access control lists and mount options.
export function may(account: Account, flag: '-r' | '-x', path: string): boolean {
  if (account.uid === undefined) return true
  const { error, status } = spawnSync('test', [flag, path], { ...account, cwd: '/', stdio: 'ignore' })
  if (!error) return status === 0
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and switching to user id ${account.uid} failed (${error.message}): run as another user, or set DATABASE_URL`,
  )
}

/**
 * Folder for files that the server's user could not access inside the program's folders. It is used only if the
 * program runs as root.
 */
export const sharedFolder = '/var/lib/pesewa'

export async function openSharedFolder(): Promise<string> {
  const isNew = await fs.mkdir(sharedFolder, { recursive: true })
  if (isNew) await fs.chmod(sharedFolder, 0o755)
  return sharedFolder
}

// The caller's environment (PGPORT, TZ, LC_ALL, …) must not affect the server.
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
