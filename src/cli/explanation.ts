import { DatabaseError } from '../database.ts'
import { BackupError } from '../platform/backup/base-backup.ts'
import { ConfigError } from '../platform/config.ts'
import { EmbeddedPostgresError } from '../platform/db/embedded.ts'
import { isAway } from '../platform/db/failures.ts'
import { MigrationError } from '../platform/db/migrate.ts'
import { codeOf, messageOf } from '../platform/errors.ts'
import { fieldsOf } from '../platform/fields.ts'
import { Refusal } from '../platform/refusals.ts'
import { CatalogueError } from '../providers/catalogue-error.ts'
import { CommandError } from './command.ts'

/** A line for what a person can do something about; everything else is a bug and shows where it is. */
export function explain(error: unknown): string {
  if (error instanceof Refusal && error.reason !== 'service_unavailable')
    return (
      error.details.map(({ param, errors }) => `${param} ${errors.join('; ')}`).join('\n') || error.message
    )
  const mendable = [
    BackupError,
    CommandError,
    ConfigError,
    DatabaseError,
    EmbeddedPostgresError,
    MigrationError,
    CatalogueError,
  ]
  if (mendable.some((kind) => error instanceof kind)) return messageOf(error)
  const { port, address, hostname, path } = fieldsOf(error)
  const code = codeOf(error)
  const sentence = databaseSentences[code]
  if (sentence !== undefined) return sentence
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the program that uses it, or choose another with PORT (or METRICS_PORT).`
  if (code === 'EACCES' && port)
    return `Port ${port} needs more rights than this user has: choose one above 1023 with PORT.`
  if (code === 'EADDRNOTAVAIL')
    return `HOST ${address} is not an address of this machine (or METRICS_HOST, where that is set).`
  if (code === 'ENOTFOUND' && hostname)
    return `HOST ${hostname} cannot be resolved: choose an address of this machine.`
  if (path && ['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${path} cannot be read and written by this user: change its owner, or set DATA_DIR to another folder.`
  if (path && ['ENOTDIR', 'EEXIST'].includes(code))
    return `${path} is not a folder: remove it, or set DATA_DIR to another folder.`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `No space is left on the disk of ${path ?? 'DATA_DIR'}: free some.`
  if (isAway(error) && !path)
    return 'The database ended, or cannot be reached any more. Whatever was not committed is undone; start again when it is back.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** By SQLSTATE: what the server refused, and a person can mend. */
const databaseSentences: Record<string, string> = {
  '25006': 'This database is a standby, which takes no changes: set DATABASE_URL to the server it follows.',
  '42501':
    'The database’s user may not do this: it has to own the database and its tables (alter database … owner to …).',
  '53100': 'The disk of the database is full: free some of it.',
  '53300':
    'The database has no connection left: raise its max_connections, or lower DATABASE_POOL_SIZE on the nodes.',
  '55P03':
    'Another program holds what this command has to change. Nothing was changed; try again in a moment.',
  '57014':
    'The database took too long for a statement, and ended it. Nothing was changed; try again when it is less busy.',
}
