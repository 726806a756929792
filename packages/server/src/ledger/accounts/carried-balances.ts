import { type Sql, sql } from '../../platform/db/sql.ts'

// When a month is archived, the balance after the last archived line of each account is carried.

/**
 * The number of the last archived line of an account, or 0 if none was archived. `of` is a row with its Space and
 * environment.
 */
export const archivedSeq = (of: Sql, accountId = sql`${of}.account_id`): Sql => sql`
  coalesce((
    select seq from carried_balances carried
    where carried.space_id = ${of}.space_id and carried.environment = ${of}.environment
      and carried.account_id = ${accountId}
    order by carried.until_id desc limit 1), 0)`
