import { sliceOf } from '../../scripts/documents/folders.ts'
import { ownedTables } from './owners.ts'
import { findIn, type Source } from './sources.ts'
import { statementsOf } from './statements.ts'

/** Names of functions that read or lock rows, and of SQL fragments and types. */
const reading = /^(?:(?:select|share|count|lock|has|is)[A-Z]|overdrawn|\w+Columns$|[A-Z])/

/** Functions of a store that write and that another slice calls, with the reason. */
const shared: Record<string, string> = {
  'cli deleteIdentity': 'an operator unlinks a user from the identity provider',
  'money/payments eraseAccounts': 'the account of a payment is erased from its instruction, too',
  'money/payouts eraseAccounts': 'the account of a payout is erased from its instruction, too',
  'money/recalls updateReturned': 'returning a recall reduces the money that its case still holds',
  'money/refunds eraseAccounts': 'the account of a refund is erased from its instruction, too',
  'tenants/sign-in deleteSessions': 'the job that deletes expired sessions belongs to sign-in',
  'tenants/sign-in endOtherSessions': 'signing out everywhere else belongs to sign-in',
  'tenants/team markWarned': 'the job that warns of expiring tokens belongs to the team',
  'tenants/team markReplaced': 'rolling a token creates the new token in the team and replaces the old one',
  'ways-to-pay/checkout eraseReferences': 'a payment has a copy of the reference of its session',
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

/** Files and folders with SQL that are not stores, with the reason. */
const otherSql: Record<string, string> = {
  'packages/server/src/platform/': 'each file is about one table, or about statements in general',
  'packages/server/src/simulator/': 'a simulated rail keeps its objects beside its behaviour',
  'packages/server/src/finance/books/proofs.ts':
    'the job that proves the books writes the only rows of its table',
  'packages/server/src/ledger/accounts/account-statements.ts':
    'a statement is proved from the sums that it selects',
  'packages/server/src/ledger/accounts/boundaries.ts': 'builds a part of the statements of several stores',
  'packages/server/src/ledger/accounts/carried-balances.ts':
    'builds a part of the statements of several stores',
  'packages/server/src/ledger/accounts/line-providers.ts':
    'builds a part of the statements of several stores',
  'packages/server/src/tenants/sign-in/challenges.ts':
    'a secret is generated, stored and used up in one place',
  'packages/server/src/tenants/sign-in/oidc/provider-attempts.ts':
    'a secret is generated, stored and used up in one place',
  'packages/server/src/tenants/sign-in/recovery-codes.ts':
    'a secret is generated, stored and used up in one place',
  'packages/server/src/tenants/sign-in/second-steps.ts':
    'a secret is generated, stored and used up in one place',
  'packages/server/src/tenants/spaces/audit.ts':
    'an audit entry is marked for the chain in the statement that inserts it',
  'packages/server/src/tenants/spaces/brands.ts':
    'a brand and its logo are replaced together, under the lock of the Space',
  'packages/server/src/tenants/spaces/chained-changes.ts':
    'every slice marks its changes with these statements',
  'packages/server/src/tenants/spaces/since.ts': 'builds a part of the statements of checks',
}

/** Returns each statement on a table that is in neither a store nor a check. */
export function sqlOutsideStores(program: Source[], allowed = otherSql): string[] {
  return program
    .filter(({ path }) => !/(?:^|[/-])(?:store|checks)\.ts$/.test(path))
    .filter(({ path }) => !Object.keys(allowed).some((other) => path.startsWith(other)))
    .flatMap((source) => statementsOf(source).filter(({ sql }) => onTable.test(sql)))
    .map(({ at }) => `${at} has SQL on a table outside a file named store.ts or …-store.ts`)
}

const onTable = new RegExp(
  `\\b(?:from|join|into|update)\\s+(?:${Object.values(ownedTables).flat().join('|')})\\b`,
)

/** Returns the files and folders that are excused but have no such SQL any more. */
export const excusedWithoutSql = (program: Source[]): string[] =>
  Object.keys(otherSql).filter(
    (other) =>
      sqlOutsideStores(
        program.filter(({ path }) => path.startsWith(other)),
        {},
      ).length === 0,
  )
