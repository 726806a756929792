import type { SimulatorClock } from '@pesewa/connector-kit/simulator'
import type { Database, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { collections, disbursements, type RequestTable } from './request-store.ts'

/** No rail is queried about a request that ended this long ago. */
const keptMs = 7 * 86_400_000 // limit: how long the simulator keeps a request
const maxForgottenAtOnce = 1_000 // maximum number of rows that the simulator deletes together

/** Deletes requests and handset settings older than a week. */
export async function deleteOldData(db: Database, clock: SimulatorClock): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  for (const table of [collections, disbursements])
    while ((await db.transaction((tx) => forgetRequests(tx, table, before))) > 0);
  while ((await db.transaction((tx) => forgetHandsets(tx, before))) > 0);
}

// every space: rails know nothing about Spaces
const forgetRequests = (tx: Tx, { kind, table }: RequestTable, before: Date) =>
  tx.run(sql`
    with gone as (
      delete from ${table} where (provider_id, reference) in (
        select provider_id, reference from ${table}
        where created_at < ${before} order by created_at limit ${maxForgottenAtOnce})
      returning provider_id, reference
    ), unplanned as (
      delete from simulator_outcomes o using gone
      where o.kind = ${kind} and o.provider_id = gone.provider_id and o.reference = gone.reference
    )
    select 1 from gone`)

// every space: rails know nothing about Spaces
const forgetHandsets = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from simulator_handsets where msisdn in (
      select msisdn from simulator_handsets where set_at < ${before} limit ${maxForgottenAtOnce})`)
