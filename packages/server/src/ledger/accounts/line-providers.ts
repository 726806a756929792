import type { Reader } from '../../platform/db/database.ts'
import { isOneOf } from '../../platform/db/lookups.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Direction } from './store.ts'

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

/** The provider that moved the money of a line, and the direction. */
export type Clearing = { providerId: string; direction: Direction }

/** Returns the providers of lines by id of the line. Lines without a provider are missing. */
export async function selectLineClearings(
  db: Reader,
  { spaceId, environment }: Scope,
  ids: readonly string[],
): Promise<Map<string, Clearing>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Clearing & { id: string }>(sql`
    select line.id, clearing.provider_id, clearing.direction
    from ledger_lines line
    cross join lateral ${lineClearing} clearing
    where line.space_id = ${spaceId} and line.environment = ${environment} 
      and ${isOneOf(sql`line.id`, ids)}`)
  return new Map(rows.map(({ id, ...clearing }) => [id, clearing]))
}
