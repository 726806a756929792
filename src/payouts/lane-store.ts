import type { Environment, Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { columns, type Payout } from './store.ts'

/** What is sent to one provider waits in one lane, whatever Space it is of. */
export type Lane = { environment: Environment; providerId: string }

/** The lanes in which something waits. From one to the next along the index: a long one costs no more. */
export const selectLanes = (db: Reader) =>
  // every space: a lane is a provider's
  db.query<Lane>(sql`
    with recursive lane as (
      (select environment, provider_id from payouts
      where rail_state = 'queued' order by environment, provider_id limit 1)
      union all
      select later.* from lane cross join lateral (
        select environment, provider_id from payouts
        where rail_state = 'queued' and (environment, provider_id) > (lane.environment, lane.provider_id)
        order by environment, provider_id limit 1
      ) later
    )
    select environment, provider_id from lane`)

/** How many wait in a lane, counted to `atMost`. */
export const countQueued = async (db: Reader, { environment, providerId }: Lane, atMost: number) => {
  // every space: a lane is a provider's
  const row = await db.one<{ count: bigint }>(sql`
    select count(*) from (
      select from payouts
      where environment = ${environment} and provider_id = ${providerId} and rail_state = 'queued'
      limit ${atMost}
    ) waiting`)
  return Number(row!.count)
}

/** The first that wait in a lane, in order of creation, but for those that another node is taking. */
export const takeQueued = (tx: Tx, { environment, providerId }: Lane, atMost: number) =>
  // every space: a lane is a provider's
  tx.query<Payout & Pick<Scope, 'spaceId'>>(sql`
    select ${columns}, payout.space_id from payouts payout
    where environment = ${environment} and provider_id = ${providerId} and rail_state = 'queued'
    order by id limit ${atMost}
    for update skip locked`)
