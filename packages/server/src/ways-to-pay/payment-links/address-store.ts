import type { Reader, Tx } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Environment, Scope } from '../../platform/scope.ts'

/** Claims an address permanently, and returns whether it was free. */
export const claimAddress = async (
  tx: Tx,
  { spaceId, environment }: Scope,
  { address, linkId }: { address: string; linkId: string },
) =>
  (await tx.run(sql`
    insert into payment_link_addresses (address, environment, space_id, payment_link_id)
    values (${address}, ${environment}, ${spaceId}, ${linkId})
    on conflict (address) do nothing`)) === 1

/** Returns the link with an address, whichever Space and environment it belongs to. */
export const findAddressed = (db: Reader, address: string) =>
  // every space: a payer types only the address, which does not identify a Space
  db.one<{ spaceId: string; environment: Environment; id: string }>(sql`
    select space_id, environment, payment_link_id as id from payment_link_addresses where address = ${address}`)

/** Returns a condition that matches the link with an address. */
export const hasAddress = (address: string): Sql =>
  sql`id = (select payment_link_id from payment_link_addresses where address = ${address})`
