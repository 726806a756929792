import type { Environment } from '../platform/clock.ts'
import type { Reader } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { RailState } from './store.ts'

/** A payout that a rail was told of, and whose end is not known. */
export type OpenPayout = {
  spaceId: string
  environment: Environment
  id: string
  providerId: string
  amount: bigint
  currency: string
  railReference: string
  railState: Extract<RailState, 'submitting' | 'submitted' | 'unknown'>
  submittedAt: Date
}

// every space: the operator's own list goes over all of them
export const selectOpenPayouts = (db: Reader, take: number) =>
  db.query<OpenPayout>(sql`
    select space_id, environment, id, provider_id, amount, currency, rail_reference, rail_state, submitted_at
    from payouts
    where rail_state in ('submitting', 'submitted', 'unknown')
    order by submitted_at, id limit ${take}`)

// every space: the operator names a payout by its id alone
export const selectScope = (db: Reader, id: string) =>
  db.one<{ spaceId: string; environment: Environment }>(sql`
    select space_id, environment from payouts where id = ${id}`)

// every space: what an operator watches
export const countDelayed = async (db: Reader, atMost: number): Promise<number> =>
  Number(
    (await db.one<{ count: bigint }>(sql`
      select count(*) from (
        select from payouts
        where rail_state in ('submitting', 'submitted', 'unknown') and delayed_at is not null limit ${atMost}
      ) delayed`))!.count,
  )
