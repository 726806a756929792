import type { Database, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SimulatorClock } from './clock.ts'

/** Longer than anybody asks a rail what became of something that has ended. */
const keptMs = 7 * 86_400_000 // limit: how long the simulator keeps what it was asked for
const maxForgottenAtOnce = 1_000 // limit: rows that the simulator forgets at once

/** Forgets what is older than a week: what was asked of the rails, and which handsets ask. */
export async function forgetOld(db: Database, clock: SimulatorClock): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  for (const forget of [forgetCollections, forgetDisbursements, forgetHandsets])
    while ((await db.transaction((tx) => forget(tx, before))) > 0);
}

// every space: the simulator is the outside world
const forgetCollections = (tx: Tx, before: Date) =>
  tx.run(sql`
    with gone as (
      delete from simulator_collections where (provider_id, reference) in (
        select provider_id, reference from simulator_collections
        where created_at < ${before} order by created_at limit ${maxForgottenAtOnce})
      returning provider_id, reference
    ), unplanned as (
      delete from simulator_outcomes o using gone
      where o.kind = 'collection' and o.provider_id = gone.provider_id and o.reference = gone.reference
    )
    select 1 from gone`)

// every space: the simulator is the outside world
const forgetDisbursements = (tx: Tx, before: Date) =>
  tx.run(sql`
    with gone as (
      delete from simulator_disbursements where (provider_id, reference) in (
        select provider_id, reference from simulator_disbursements
        where created_at < ${before} order by created_at limit ${maxForgottenAtOnce})
      returning provider_id, reference
    ), unplanned as (
      delete from simulator_outcomes o using gone
      where o.kind = 'disbursement' and o.provider_id = gone.provider_id and o.reference = gone.reference
    )
    select 1 from gone`)

// every space: the simulator is the outside world
const forgetHandsets = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from simulator_handsets where msisdn in (
      select msisdn from simulator_handsets where set_at < ${before} limit ${maxForgottenAtOnce})`)
