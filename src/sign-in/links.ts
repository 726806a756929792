import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { durationMs } from '../platform/duration.ts'
import { idKind, newId, readId, showId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Seals, sameText } from '../platform/seals.ts'

const linkIds = idKind('sil')
const purpose = 'sign-in link'

const mailedLinkMs = durationMs('15m') // limit: a link to sign in that came by mail
export const printedLinkMs = durationMs('24h') // limit: a link to sign in that a command printed
const maxLinksPerHour = 5 // limit: links to sign in that are mailed to a person in an hour
const hourMs = durationMs('1h')

const maxDeletedAtOnce = 1_000 // limit: links to sign in that are deleted at once

type LinkParts = { baseUrl: string; seals: Seals }

/** Makes a link by which a person signs in, once; for a command to print. */
export async function createLink(tx: Tx, parts: LinkParts, userId: string, lifeMs: number): Promise<string> {
  return linkOf(parts, await insertLink(tx, { userId, lifeMs, isMailed: false }))
}

/**
 * A link’s text is derived from its id: what is stored, or queued to be mailed, signs nobody in. It stands in the address’s
 * fragment, which no server and no log of one ever gets.
 */
export const linkOf = ({ baseUrl, seals }: LinkParts, id: string): string =>
  `${baseUrl}/console/sign-in#link=${showId(linkIds, id)}.${seals.tag(purpose, id)}`

/** Whose link it is. It is used up. */
export async function redeemLink(tx: Tx, seals: Seals, secret: string): Promise<string> {
  const [shown = '', tag = ''] = secret.split('.', 2)
  const id = readId(linkIds, shown)
  if (!id || !sameText(tag, seals.tag(purpose, id))) throw new Refusal('sign_in_failed')
  const now = new Date()
  const link = await tx.one<{ userId: string }>(sql`
    update sign_in_links set used_at = ${now} where id = ${id} and used_at is null and expires_at > ${now}
    returning user_id`)
  if (!link) throw new Refusal('sign_in_failed')
  return link.userId
}

/** Returns its id; nothing where a person was sent so many: whoever asks for them must not fill somebody's mailbox. */
export async function createMailedLink(tx: Tx, userId: string): Promise<string | undefined> {
  // One after the other for a person: each counts those before it.
  await tx.run(sql`select 1 from users where id = ${userId} for no key update`)
  const since = new Date(Date.now() - hourMs)
  const sent = await tx.only<{ count: number }>(sql`
    select count(*)::int as count from sign_in_links
    where user_id = ${userId} and created_at > ${since} and is_mailed`)
  if (sent.count >= maxLinksPerHour) return undefined
  return insertLink(tx, { userId, lifeMs: mailedLinkMs, isMailed: true })
}

type NewLink = { userId: string; lifeMs: number; isMailed: boolean }

async function insertLink(tx: Tx, { userId, lifeMs, isMailed }: NewLink): Promise<string> {
  const at = new Date()
  const id = newId(at)
  await tx.run(sql`
    insert into sign_in_links (id, user_id, created_at, expires_at, is_mailed)
    values (${id}, ${userId}, ${at}, ${new Date(at.getTime() + lifeMs)}, ${isMailed})`)
  return id
}

/** Whose link it is, while it can be used. */
export const findOpenLink = (db: Reader, id: string) =>
  db.one<{ userId: string }>(sql`
    select user_id from sign_in_links where id = ${id} and used_at is null and expires_at > ${new Date()}`)

/** Deletes some of those that had expired before a moment, and returns how many. */
export const forgetLinks = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from sign_in_links where id in (
      select id from sign_in_links where expires_at < ${before} limit ${maxDeletedAtOnce})`)
