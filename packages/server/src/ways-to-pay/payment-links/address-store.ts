import { texts } from '../../platform/db/arrays.ts'
import { text, uuid } from '../../platform/db/columns.ts'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Claim, LostClaims } from '../../platform/http/commands/claims.ts'
import { firstId } from '../../platform/ids.ts'
import type { Environment } from '../../platform/scope.ts'

/** Claims the addresses that no other link has ever had, and returns the ids of their links. */
export async function claimAddresses(tx: HomeTx, claims: Scoped<Claim>[]): Promise<Set<string>> {
  const claimed = await tx.query<{ id: string }>(sql`
    insert into payment_link_addresses (address, environment, space_id, payment_link_id)
    select text, environment, space_id, id from ${claimRows(claims)}
    order by text
    on conflict (address) do update set payment_link_id = excluded.payment_link_id where payment_link_addresses.payment_link_id = excluded.payment_link_id
    returning payment_link_id as id`)
  return new Set(claimed.map(({ id }) => id))
}

const claimRows = unnestScoped({ text, id: uuid })

/**
 * Returns claims without a link that were made before a time, among the next `count` addresses after `after`, and the last of
 * these addresses.
 */
export const selectLostAddresses = (db: Reader, before: Date, after: string, count: number) =>
  // every space: addresses belong to the directory, which leads to the Space
  db.only<LostClaims>(sql`
    select max(address) as last, coalesce(array_agg(address) filter (where is_lost), '{}') as lost
    from (
      select address, payment_link_id < ${firstId(before)}::uuid and not exists (
          select 1 from payment_links link
          where link.space_id = directory.space_id and link.environment = directory.environment
            and link.id = directory.payment_link_id) as is_lost
      from payment_link_addresses directory where address > ${after} order by address limit ${count}
    ) next`)

/** Frees those of these addresses that were claimed before a time. Another node may have freed one, and a new link may have it now. */
export const freeAddresses = (tx: HomeTx, addresses: string[], before: Date) =>
  tx.run(sql`
    delete from payment_link_addresses
    where address = any(${texts(addresses)}::text[]) and payment_link_id < ${firstId(before)}::uuid`)

/** Returns the link with an address, whichever Space and environment it belongs to. */
export const findAddressed = (db: Reader, address: string) =>
  // every space: a payer types only the address, which does not identify a Space
  db.one<{ spaceId: string; environment: Environment; id: string }>(sql`
    select space_id, environment, payment_link_id as id from payment_link_addresses where address = ${address}`)

/** Returns a condition that matches the link with an address. */
export const hasAddress = (address: string): Sql =>
  sql`id = (select payment_link_id from payment_link_addresses where address = ${address})`
