import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import { cookie, readCookie } from '../../platform/http/cookies.ts'
import type { Browser } from '../../platform/http/open-route.ts'
import type { Platform } from '../../platform/platform.ts'
import { hashSecret } from '../../spaces/tokens.ts'

const lifeMs = durationMs('10m') // limit: how long somebody may take at the identity provider
const secretBytes = 32
const cookieName = '-oidc'
const maxDeletedAtOnce = 1_000 // limit: tries at the identity provider that are deleted at once

/** What binds the provider's response to the browser that was sent there. */
export type Binding = { state: string; nonce: string; verifier: string }

/** `sessionId`: of who shows again who they are; `null` where somebody signs in. */
export type Try = Binding & { sessionId: string | null; beganAt: Date }

type TryParts = Pick<Platform, 'baseUrl'>

/** Who comes back posts from a page of ours: the cookie needs to follow no link from elsewhere. */
const rules = { sameSite: 'Strict', maxAgeSeconds: lifeMs / 1_000 } as const

/** Remembers by a cookie that a browser is sent to the provider. One that it was sent with before is worth nothing any more. */
export async function beginTry(
  tx: Tx,
  { baseUrl }: TryParts,
  { reply }: Browser,
  sessionId: string | null,
): Promise<Binding> {
  const secret = randomBytes(secretBytes).toString('base64url')
  await tx.run(sql`
    insert into oidc_tries (hash, session_id, began_at) values (${hashSecret(secret)}, ${sessionId}, ${new Date()})`)
  reply.header('set-cookie', cookie(baseUrl, cookieName, secret, rules))
  return bindingOf(secret)
}

/** The try of a browser that comes back, while it can be used. It is used up, whatever becomes of it. */
export async function takeTry(tx: Tx, { baseUrl }: TryParts, browser: Browser): Promise<Try | undefined> {
  const secret = readCookie(browser.request, baseUrl, cookieName)
  if (!secret) return undefined
  browser.reply.header('set-cookie', cookie(baseUrl, cookieName, '', rules))
  const row = await tx.one<Pick<Try, 'sessionId' | 'beganAt'>>(sql`
    delete from oidc_tries where hash = ${hashSecret(secret)} returning session_id, began_at`)
  const isOpen = row && row.beganAt.getTime() + lifeMs > Date.now()
  return isOpen ? { ...row, ...bindingOf(secret) } : undefined
}

/** Derived, so that what is stored lets nobody finish what another began. */
const bindingOf = (secret: string): Binding => ({
  state: derive('state', secret),
  nonce: derive('nonce', secret),
  verifier: derive('verifier', secret),
})

const derive = (purpose: string, secret: string) =>
  createHash('sha256').update(`${purpose} ${secret}`).digest('base64url')

/** Deletes some of those that nobody came back from, and returns how many. */
export const forgetTries = (tx: Tx, now: Date) =>
  tx.run(sql`
    delete from oidc_tries where hash in (
      select hash from oidc_tries where began_at < ${new Date(now.getTime() - lifeMs)} limit ${maxDeletedAtOnce})`)
