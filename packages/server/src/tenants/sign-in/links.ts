import { sameText } from '@pesewa/values'
import type { HomeTx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { idKind, readId, showId } from '../../platform/ids.ts'
import type { Seals } from '../../platform/seals.ts'
import {
  countMailed,
  insertLink,
  type Link,
  type LinkRequester,
  lockUser,
  selectLinkForUse,
} from './link-store.ts'

const linkIds = idKind('sil')
const purpose = 'sign-in link'

const mailedLinkMs = durationMs('15m') // limit: lifetime of a sign-in link sent by mail
export const printedLinkMs = durationMs('24h') // limit: lifetime of a sign-in link printed by a command
const maxPerKnown = 5 // sign-in links mailed to a user per hour that were requested in browsers known to be theirs
const maxPerAddress = 3 // limit: sign-in links mailed to a user per hour that were requested from one IP address
const maxPerStrangers = 10 // sign-in links mailed to a user per hour that were requested in unknown browsers

type LinkParts = { baseUrl: string; seals: Seals }

/** Creates a single-use sign-in link and returns its URL, for a command to print. */
export async function createLink(
  tx: HomeTx,
  parts: LinkParts,
  userId: string,
  lifeMs: number,
): Promise<string> {
  return signInLinkUrl(parts, await insertLink(tx, { userId, lifeMs }))
}

/**
 * Returns the link's URL. Its secret is derived from its id, so nobody can sign in with a stored row or a
 * queued mail. The secret is in the fragment, which browsers never send to servers, so it does not appear in
 * their logs.
 */
export const signInLinkUrl = ({ baseUrl, seals }: LinkParts, id: string): string =>
  `${baseUrl}/console/sign-in#link=${showId(linkIds, id)}.${seals.tag(purpose, id)}`

/**
 * Verifies a link's secret and locks the link, so that only the first of several concurrent uses succeeds.
 * Returns `undefined` if the secret is forged.
 */
export async function lockLink(tx: HomeTx, seals: Seals, secret: string): Promise<Link | undefined> {
  const [shown = '', tag = ''] = secret.split('.', 2)
  const id = readId(linkIds, shown)
  if (!id || !sameText(tag, seals.tag(purpose, id))) return undefined
  return selectLinkForUse(tx, id)
}

/**
 * Creates a link to be mailed and returns its id. Returns `undefined` if the hourly limit, which protects
 * mailboxes from being flooded, has been reached.
 */
export async function createMailedLink(
  tx: HomeTx,
  userId: string,
  asker: LinkRequester,
): Promise<string | undefined> {
  // The user is locked, so that concurrent requests count each other's links.
  await lockUser(tx, userId)
  const sent = await countMailed(tx, userId, asker.address)
  const isAllowed = asker.isKnown
    ? sent.toKnown < maxPerKnown
    : sent.toAddress < maxPerAddress && sent.toStrangers < maxPerStrangers
  return isAllowed ? insertLink(tx, { userId, lifeMs: mailedLinkMs, asker }) : undefined
}
