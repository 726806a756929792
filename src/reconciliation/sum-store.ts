import type { Reader } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Environment } from '../platform/scope.ts'
import { clearingAccounts, type Extent } from './clearing-store.ts'

/** What was matched and what is open of a clearing account, in minor units, and what its balance should then be. */
export type AccountSum = {
  spaceId: string
  environment: Environment
  purpose: string
  currency: string
  lines: bigint
  matchedLines: bigint
  matched: bigint
  openLines: bigint
  open: bigint
  /** After the last line that reconciliation has seen; null when there is no such line. */
  balance: bigint | null
}

export const selectSums = (db: Reader, extent: Extent) =>
  // every space: a statement is of the operator's account at a provider, which all Spaces share
  db.query<AccountSum>(sql`
    select account.space_id, account.environment, account.purpose, account.currency, account.seen as lines,
      matched.lines as matched_lines, matched.amount as matched, open.lines as open_lines, open.amount as open,
      case when account.seen = 0 then 0 else (
        select case account.direction when 'collection' then -balance_after else balance_after end
        from ledger_lines line
        where line.space_id = account.space_id and line.environment = account.environment
          and line.account_id = account.id and line.seq = account.seen
      ) end as balance
    from ${clearingAccounts(extent)} account
    cross join lateral (
      select count(*) as lines, coalesce(sum(amount), 0)::bigint as amount from statement_lines line
      where line.space_id = account.space_id and line.environment = account.environment
        and line.account_id = account.id
    ) matched
    cross join lateral (
      select count(*) as lines, coalesce(sum(amount), 0)::bigint as amount from open_clearing_lines line
      where line.space_id = account.space_id and line.environment = account.environment
        and line.account_id = account.id
    ) open
    order by account.space_id, account.environment, account.purpose, account.currency`)
