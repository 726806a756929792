import type { Callback } from '@pesewa/connector-kit/simulator'
import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

export async function insertCallbacks(tx: Tx, callbacks: Callback[]): Promise<void> {
  // every space: rails know nothing about Spaces
  await tx.run(sql`
    insert into simulator_callbacks (protocol, method, url, body)
    select * from unnest(${callbacks.map(({ protocol }) => protocol)}::text[],
      ${callbacks.map(({ method }) => method)}::text[], ${callbacks.map(({ url }) => url)}::text[], ${callbacks.map(({ body }) => body)}::text[])`)
}

/** Deletes and returns the oldest callbacks, so that each of them is sent only once. */
export function claimCallbacks(tx: Tx, limit: number) {
  // every space: rails know nothing about Spaces
  return tx.query<Callback>(sql`
    delete from simulator_callbacks where id in (
      select id from simulator_callbacks order by id limit ${limit} for update skip locked)
    returning protocol, method, url, body`)
}
