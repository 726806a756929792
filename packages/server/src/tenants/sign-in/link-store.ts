import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import { newId } from '../../platform/ids.ts'

const hourMs = durationMs('1h')
const maxDeletedAtOnce = 1_000

/** A sign-in link. `isOpen` means that it has neither been used nor expired. */
export type Link = { id: string; userId: string; email: string; askedBy: Buffer | null; isOpen: boolean }

/** Returns a link, locked until the transaction ends. */
export const selectLinkForUse = (tx: HomeTx, id: string) =>
  tx.one<Link>(sql`
    select l.id, l.user_id, u.email, l.asked_by, l.used_at is null and l.expires_at > ${new Date()} as is_open
    from sign_in_links l join users u on u.id = l.user_id
    where l.id = ${id}
    for update of l`)

export const markLinkUsed = (tx: HomeTx, id: string) =>
  tx.run(sql`update sign_in_links set used_at = ${new Date()} where id = ${id}`)

/** The origin of a request for a link. `isKnown` means that the user has signed in with this browser before. */
export type LinkRequester = { address: string; browser: Buffer | null; isKnown: boolean }

/** Locks a user, so that concurrent requests count each other's links. */
export const lockUser = (tx: HomeTx, userId: string) =>
  tx.run(sql`select 1 from users where id = ${userId} for no key update`)

/**
 * Counts the links mailed to a user in the last hour, separately for requests from known browsers, from other
 * browsers, and from other browsers at this IP address.
 */
export const countMailed = (tx: HomeTx, userId: string, address: string) =>
  tx.only<{ toKnown: number; toStrangers: number; toAddress: number }>(sql`
    select count(*) filter (where by_known_browser)::int as to_known,
      count(*) filter (where not by_known_browser)::int as to_strangers,
      count(*) filter (where not by_known_browser and asked_from = ${address})::int as to_address
    from sign_in_links
    where user_id = ${userId} and created_at > ${new Date(Date.now() - hourMs)} and asked_from is not null`)

type NewLink = { userId: string; lifeMs: number; asker?: LinkRequester }

export async function insertLink(tx: HomeTx, { userId, lifeMs, asker }: NewLink): Promise<string> {
  const at = new Date()
  const id = newId(at)
  await tx.run(sql`
    insert into sign_in_links (id, user_id, created_at, expires_at, asked_from, asked_by, by_known_browser)
    values (${id}, ${userId}, ${at}, ${new Date(at.getTime() + lifeMs)}, ${asker?.address ?? null},
      ${asker?.browser ?? null}, ${asker?.isKnown ?? false})`)
  return id
}

/** Returns the user of a link that has neither been used nor expired. */
export const findOpenLink = (db: Reader, id: string) =>
  db.one<{ userId: string }>(sql`
    select user_id from sign_in_links where id = ${id} and used_at is null and expires_at > ${new Date()}`)

/** Deletes one batch of the links that expired before `before`, and returns the number deleted. */
export const forgetLinks = (tx: HomeTx, before: Date) =>
  tx.run(sql`
    delete from sign_in_links where id in (
      select id from sign_in_links where expires_at < ${before} limit ${maxDeletedAtOnce})`)
