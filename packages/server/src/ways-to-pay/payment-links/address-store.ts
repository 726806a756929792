import { text, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Environment } from '../../platform/scope.ts'

type Addressed = Scoped<{ address: string; id: string }>

/**
 * Returns SQL that claims addresses of links permanently, as part of a larger statement. The statement fails if an
 * address is taken.
 */
export const claimingAddresses = (links: Addressed[]): Sql => sql`
  insert into payment_link_addresses (address, environment, space_id, payment_link_id)
  select address, environment, space_id, id from ${addressRows(links)}`

const addressRows = unnestScoped({ address: text, id: uuid })

/** Claims the addresses that are free, and returns the ids of their links. */
export async function claimAddresses(tx: Tx, links: Addressed[]): Promise<Set<string>> {
  const claimed = await tx.query<{ id: string }>(sql`
    ${claimingAddresses(links)}
    on conflict (address) do nothing
    returning payment_link_id as id`)
  return new Set(claimed.map(({ id }) => id))
}

/** Returns the link with an address, whichever Space and environment it belongs to. */
export const findAddressed = (db: Reader, address: string) =>
  // every space: a payer types only the address, which does not identify a Space
  db.one<{ spaceId: string; environment: Environment; id: string }>(sql`
    select space_id, environment, payment_link_id as id from payment_link_addresses where address = ${address}`)

/** Returns a condition that matches the link with an address. */
export const hasAddress = (address: string): Sql =>
  sql`id = (select payment_link_id from payment_link_addresses where address = ${address})`
