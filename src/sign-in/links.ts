import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { durationMs } from '../platform/duration.ts'
import { idKind, newId, readId, showId } from '../platform/ids.ts'
import { type Seals, sameText } from '../platform/seals.ts'

const linkIds = idKind('sil')
const purpose = 'sign-in link'

const mailedLinkMs = durationMs('15m') // limit: a link to sign in that came by mail
export const printedLinkMs = durationMs('24h') // limit: a link to sign in that a command printed
const maxPerKnown = 5 // limit: links to sign in that are mailed to a person in an hour because a browser of theirs asked
const maxPerAddress = 3 // limit: links to sign in that are mailed to a person in an hour because one address asked
const maxPerStrangers = 10 // limit: links to sign in that are mailed to a person in an hour because others asked
const hourMs = durationMs('1h')

const maxDeletedAtOnce = 1_000 // limit: links to sign in that are deleted at once

type LinkParts = { baseUrl: string; seals: Seals }

/** Makes a link by which a person signs in, once; for a command to print. */
export async function createLink(tx: Tx, parts: LinkParts, userId: string, lifeMs: number): Promise<string> {
  return linkOf(parts, await insertLink(tx, { userId, lifeMs }))
}

/**
 * A link’s text is derived from its id: what is stored, or queued to be mailed, signs nobody in. It stands in the address’s
 * fragment, which no server and no log of one ever gets.
 */
export const linkOf = ({ baseUrl, seals }: LinkParts, id: string): string =>
  `${baseUrl}/console/sign-in#link=${showId(linkIds, id)}.${seals.tag(purpose, id)}`

/** A link of ours. `isOpen`: it has neither been used nor expired. */
export type Link = { id: string; userId: string; email: string; askedBy: Buffer | null; isOpen: boolean }

/** The link that a text is of; `undefined`: none of ours. Locked: of several that use it at once, the first one does. */
export async function lockLink(tx: Tx, seals: Seals, secret: string): Promise<Link | undefined> {
  const [shown = '', tag = ''] = secret.split('.', 2)
  const id = readId(linkIds, shown)
  if (!id || !sameText(tag, seals.tag(purpose, id))) return undefined
  return tx.one<Link>(sql`
    select l.id, l.user_id, u.email, l.asked_by, l.used_at is null and l.expires_at > ${new Date()} as is_open
    from sign_in_links l join users u on u.id = l.user_id
    where l.id = ${id}
    for update of l`)
}

export const markLinkUsed = (tx: Tx, id: string) =>
  tx.run(sql`update sign_in_links set used_at = ${new Date()} where id = ${id}`)

/** Who asks for a link: from where, with which browser, and whether its person had signed in with that. */
export type LinkAsker = { address: string; browser: Buffer | null; isKnown: boolean }

/** Returns its id; nothing where a person was sent so many: whoever asks for them must not fill somebody's mailbox. */
export async function createMailedLink(
  tx: Tx,
  userId: string,
  asker: LinkAsker,
): Promise<string | undefined> {
  // One after the other for a person: each counts those before it.
  await tx.run(sql`select 1 from users where id = ${userId} for no key update`)
  const sent = await countMailed(tx, userId, asker.address)
  const isAllowed = asker.isKnown
    ? sent.toKnown < maxPerKnown
    : sent.toAddress < maxPerAddress && sent.toStrangers < maxPerStrangers
  return isAllowed ? insertLink(tx, { userId, lifeMs: mailedLinkMs, asker }) : undefined
}

/** In the last hour. */
const countMailed = (tx: Tx, userId: string, address: string) =>
  tx.only<{ toKnown: number; toStrangers: number; toAddress: number }>(sql`
    select count(*) filter (where by_known_browser)::int as to_known,
      count(*) filter (where not by_known_browser)::int as to_strangers,
      count(*) filter (where not by_known_browser and asked_from = ${address})::int as to_address
    from sign_in_links
    where user_id = ${userId} and created_at > ${new Date(Date.now() - hourMs)} and asked_from is not null`)

type NewLink = { userId: string; lifeMs: number; asker?: LinkAsker }

async function insertLink(tx: Tx, { userId, lifeMs, asker }: NewLink): Promise<string> {
  const at = new Date()
  const id = newId(at)
  await tx.run(sql`
    insert into sign_in_links (id, user_id, created_at, expires_at, asked_from, asked_by, by_known_browser)
    values (${id}, ${userId}, ${at}, ${new Date(at.getTime() + lifeMs)}, ${asker?.address ?? null},
      ${asker?.browser ?? null}, ${asker?.isKnown ?? false})`)
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
