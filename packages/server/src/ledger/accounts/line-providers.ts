import { sql } from '../../platform/db/sql.ts'

/**
 * Selects the provider that moved the money of the posting to which row `line` belongs, and the direction.
 * Returns no row if no provider moved money.
 */
export const lineClearing = sql`
  (
    -- every space: limited to the Space of the line. The primary key finds the posting's lines by timestamp.
    select clearing.provider_id, clearing.direction from (
      select ledger_reference_start(line.reference) as first_id offset 0
    ) moment
    cross join lateral (
      select account_id from ledger_lines other
      where other.space_id = line.space_id and other.environment = line.environment
        and other.id between first_id and id_moment_end(first_id) and other.reference = line.reference
        and not other.is_financial offset 0
    ) other
    join ledger_accounts clearing on clearing.space_id = line.space_id and clearing.environment = line.environment
      and clearing.id = other.account_id and clearing.kind = 'clearing'
    limit 1
  )`
