import { sliceOf } from '../../scripts/documents/folders.ts'
import { findIn, type Source } from './sources.ts'

/** Names of functions that read or lock rows, and of SQL fragments and types. */
const reading = /^(?:(?:select|share|count|lock|has|is)[A-Z]|overdrawn|\w+Columns$|[A-Z])/

/** Functions of a store that write and that another slice calls, with the reason. */
const shared: Record<string, string> = {
  'money/recalls updateReturned': 'returning a recall reduces the money that its case still holds',
  'tenants/sign-in deleteSessions': 'the job that deletes expired sessions belongs to sign-in',
  'tenants/sign-in endOtherSessions': 'signing out everywhere else belongs to sign-in',
  'tenants/team markReplaced': 'rolling a token creates the new token in the team and replaces the old one',
  'ways-to-pay/checkout insertingOrders': 'an order is inserted in the statement that inserts its session',
}

/** Returns each import of a writing function from the store of another slice. */
export function foreignStoreWrites(program: Source[], allowed = shared): string[] {
  return program.flatMap((source) =>
    findIn(source, /^import (type )?\{([^}]*)\} from '([^']*\bstore\.ts)'/gm).flatMap(({ at, match }) => {
      const [, isType, names = '', specifier = ''] = match
      const slice = sliceOf(source.path) ?? 'wiring'
      const owner = sliceOf(new URL(specifier, `file:///${source.path}`).pathname.slice(1))
      if (isType || owner === slice) return []
      return names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '' && !reading.test(name) && !allowed[`${slice} ${name}`])
        .map((name) => `${at} ${slice} calls ${name}, which writes rows of ${owner}`)
    }),
  )
}
