// Who the server runs as, what that user may do, and where it may go.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError, ignore } from './failure.ts'

/** The user the server runs as; empty when it is the program's own. */
export type Account = { uid: number; gid: number } | Record<string, never>

// PostgreSQL refuses root. Data that exists stays with its owner, whoever starts the program next.
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

// Asked of the kernel as that user: modes alone do not say it (access lists, mount options).
export function may(account: Account, flag: '-r' | '-x', path: string): boolean {
  if (account.uid === undefined) return true
  const { error, status } = spawnSync('test', [flag, path], { ...account, cwd: '/', stdio: 'ignore' })
  if (!error) return status === 0
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and switching to user id ${account.uid} failed (${error.message}): run as another user, or set DATABASE_URL`,
  )
}

/** For what the server cannot reach in the program's own folders. Used by root only. */
export const sharedFolder = '/var/lib/pesewa'

export async function openSharedFolder(): Promise<string> {
  const isNew = await fs.mkdir(sharedFolder, { recursive: true })
  if (isNew) await fs.chmod(sharedFolder, 0o755)
  return sharedFolder
}

// Nothing of the caller's environment (PGPORT, TZ, LC_ALL, …) may change the server.
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
