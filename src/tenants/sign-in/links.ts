import { sameText } from '@pesewa/values'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import { idKind, newId, readId, showId } from '../../platform/ids.ts'
import type { Seals } from '../../platform/seals.ts'

const linkIds = idKind('sil')
const purpose = 'sign-in link'

const mailedLinkMs = durationMs('15m') // limit: lifetime of a sign-in link sent by mail
export const printedLinkMs = durationMs('24h') // limit: lifetime of a sign-in link printed by a command
const maxPerKnown = 5 // sign-in links mailed to a user per hour that were requested in browsers known to be theirs
const maxPerAddress = 3 // limit: sign-in links mailed to a user per hour that were requested from one IP address
const maxPerStrangers = 10 // sign-in links mailed to a user per hour that were requested in unknown browsers
const hourMs = durationMs('1h')

const maxDeletedAtOnce = 1_000

type LinkParts = { baseUrl: string; seals: Seals }

/** Creates a single-use sign-in link and returns its URL, for a command to print. */
export async function createLink(tx: Tx, parts: LinkParts, userId: string, lifeMs: number): Promise<string> {
  return signInLinkUrl(parts, await insertLink(tx, { userId, lifeMs }))
}

/**
 * Returns the link's URL. Its secret is derived from its id, so nobody can sign in with a stored row or a
 * queued mail. The secret is in the fragment, which browsers never send to servers, so it does not appear in
 * their logs.
 */
export const signInLinkUrl = ({ baseUrl, seals }: LinkParts, id: string): string =>
  `${baseUrl}/console/sign-in#link=${showId(linkIds, id)}.${seals.tag(purpose, id)}`

/** A sign-in link. `isOpen` means that it has neither been used nor expired. */
export type Link = { id: string; userId: string; email: string; askedBy: Buffer | null; isOpen: boolean }

/**
 * Verifies a link's secret and locks the link, so that only the first of several concurrent uses succeeds.
 * Returns `undefined` if the secret is forged.
 */
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

/** The origin of a request for a link. `isKnown` means that the user has signed in with this browser before. */
export type LinkRequester = { address: string; browser: Buffer | null; isKnown: boolean }

/**
 * Creates a link to be mailed and returns its id. Returns `undefined` if the hourly limit, which protects
 * mailboxes from being flooded, has been reached.
 */
export async function createMailedLink(
  tx: Tx,
  userId: string,
  asker: LinkRequester,
): Promise<string | undefined> {
  // The user is locked, so that concurrent requests count each other's links.
  await tx.run(sql`select 1 from users where id = ${userId} for no key update`)
  const sent = await countMailed(tx, userId, asker.address)
  const isAllowed = asker.isKnown
    ? sent.toKnown < maxPerKnown
    : sent.toAddress < maxPerAddress && sent.toStrangers < maxPerStrangers
  return isAllowed ? insertLink(tx, { userId, lifeMs: mailedLinkMs, asker }) : undefined
}

/**
 * Counts the links mailed to a user in the last hour, separately for requests from known browsers, from other
 * browsers, and from other browsers at this IP address.
 */
const countMailed = (tx: Tx, userId: string, address: string) =>
  tx.only<{ toKnown: number; toStrangers: number; toAddress: number }>(sql`
    select count(*) filter (where by_known_browser)::int as to_known,
      count(*) filter (where not by_known_browser)::int as to_strangers,
      count(*) filter (where not by_known_browser and asked_from = ${address})::int as to_address
    from sign_in_links
    where user_id = ${userId} and created_at > ${new Date(Date.now() - hourMs)} and asked_from is not null`)

type NewLink = { userId: string; lifeMs: number; asker?: LinkRequester }

async function insertLink(tx: Tx, { userId, lifeMs, asker }: NewLink): Promise<string> {
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
export const forgetLinks = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from sign_in_links where id in (
      select id from sign_in_links where expires_at < ${before} limit ${maxDeletedAtOnce})`)
