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

/**
 * Some that wait in a lane, but for those that another node is taking: of one Space after another, beginning behind
 * `after`, of each as many as of the others as far as it has them, in order of creation. What one Space has waiting thus
 * delays no other's.
 *
 * Rows are compared as a whole, in the order of the lane's index: no other index can serve that, whatever the planner
 * guesses of a Space that has grown.
 */
export const takeQueued = (tx: Tx, { environment, providerId }: Lane, after: string, atMost: number) =>
  // every space: a lane is a provider's
  tx.query<Payout & Pick<Scope, 'spaceId'>>(sql`
    with recursive behind as (
      (select space_id from payouts
      where rail_state = 'queued' and (environment, provider_id, space_id) > (${environment}, ${providerId}, ${after})
        and (environment, provider_id) <= (${environment}, ${providerId})
      order by environment, provider_id, space_id limit 1)
      union all
      select later.space_id from behind cross join lateral (
        select space_id from payouts
        where rail_state = 'queued'
          and (environment, provider_id, space_id) > (${environment}, ${providerId}, behind.space_id)
          and (environment, provider_id) <= (${environment}, ${providerId})
        order by environment, provider_id, space_id limit 1
      ) later
    ), around as (
      (select space_id from payouts
      where rail_state = 'queued' and (environment, provider_id, space_id) > (${environment}, ${providerId}, ${firstSpace})
        and (environment, provider_id, space_id) <= (${environment}, ${providerId}, ${after})
      order by environment, provider_id, space_id limit 1)
      union all
      select later.space_id from around cross join lateral (
        select space_id from payouts
        where rail_state = 'queued'
          and (environment, provider_id, space_id) > (${environment}, ${providerId}, around.space_id)
          and (environment, provider_id, space_id) <= (${environment}, ${providerId}, ${after})
        order by environment, provider_id, space_id limit 1
      ) later
    ), turns as materialized (
      select space_id from ((select space_id from behind limit ${atMost})
        union all (select space_id from around limit ${atMost})) waiting
      limit ${atMost}
    )
    select taken.* from turns cross join lateral (
      select ${columns}, payout.space_id from payouts payout
      where rail_state = 'queued'
        and (environment, provider_id, space_id) >= (${environment}, ${providerId}, turns.space_id)
        and (environment, provider_id, space_id) <= (${environment}, ${providerId}, turns.space_id)
      order by environment, provider_id, space_id, id
      limit (select ceil(${atMost}::numeric / count(*)) from turns)
      for update skip locked
    ) taken
    limit ${atMost}`)

/** Before all Spaces. */
export const firstSpace = '00000000-0000-0000-0000-000000000000'
