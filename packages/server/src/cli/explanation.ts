import { codeOf, fieldsOf, messageOf } from '@pesewa/values'
import { PesewaError } from '../../../sdk/src/errors.ts'
import { ConfigError } from '../platform/config.ts'
import { isDatabaseUnavailable } from '../platform/db/failures.ts'
import { Refusal } from '../platform/refusals.ts'
import { CatalogueError } from '../rails/connections/catalogue-error.ts'
import { CommandError } from './command.ts'

/**
 * Explains an error in one line if the user can fix it. Any other error is a bug, and is shown with its stack
 * trace.
 */
export function explain(error: unknown): string {
  if (error instanceof Refusal && error.reason !== 'service_unavailable')
    return (
      error.details.map(({ param, errors }) => `${param} ${errors.join('; ')}`.trimStart()).join('\n') ||
      error.message
    )
  const mendable = [CommandError, ConfigError, CatalogueError, PesewaError]
  if (mendable.some((kind) => error instanceof kind)) return messageOf(error)
  // By name, because loading these packages takes longer than most commands.
  if (error instanceof Error && laterErrors.includes(error.name)) return error.message
  const { port, address, hostname, path } = fieldsOf(error)
  const code = codeOf(error)
  const sentence = databaseSentences[code]
  if (sentence !== undefined) return sentence
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the program that uses it, or choose another port with PORT (or METRICS_PORT).`
  if (code === 'EACCES' && port)
    return `Port ${port} needs privileges that this user does not have: choose a port above 1023 with PORT.`
  if (code === 'EADDRNOTAVAIL')
    return `HOST ${address} is not an address of this machine. If METRICS_HOST is set, check it too.`
  if (code === 'ENOTFOUND' && hostname)
    return `HOST ${hostname} cannot be resolved: choose an address of this machine.`
  if (path && ['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `This user cannot read and write ${path}: change its owner, or set DATA_DIR to another folder.`
  if (path && ['ENOTDIR', 'EEXIST'].includes(code))
    return `${path} is not a folder: remove it, or set DATA_DIR to another folder.`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk that contains ${path ?? 'DATA_DIR'} is full: free some space.`
  if (isDatabaseUnavailable(error) && !path)
    return 'The database stopped or is no longer reachable. Uncommitted changes were rolled back; try again when the database is available.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Errors of code that is loaded on demand. */
const laterErrors = [
  'BackupError',
  'DatabaseError',
  'EmbeddedPostgresError',
  'MasterKeyError',
  'MigrationError',
  'ProcessError',
]

/** Explanations, by SQLSTATE, of server errors that the user can fix. */
const databaseSentences: Record<string, string> = {
  '25006': 'This database is a read-only standby: set DATABASE_URL to its primary.',
  '42501':
    'The database user lacks permission: it must own the database and its tables (alter database … owner to …).',
  '53100': 'The database disk is full: free some space.',
  '53300':
    'The database has no free connections: raise its max_connections, or lower DATABASE_POOL_SIZE on the nodes.',
  '55P03':
    'Another program has locked data that this command needs to change. Nothing was changed; try again in a moment.',
  '57014': 'A statement timed out. Nothing was changed; try again when the database is less busy.',
}
