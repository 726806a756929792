import { createHash, randomBytes } from 'node:crypto'
import type { HomeTx } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { durationMs } from '../../../platform/duration.ts'
import { cookie, readCookie } from '../../../platform/http/admission/cookies.ts'
import type { Browser } from '../../../platform/http/admission/open-route.ts'
import type { Platform } from '../../../platform/platform.ts'
import { hashSecret } from '../../spaces/tokens.ts'

const lifeMs = durationMs('10m') // how long signing in at the identity provider may take
const secretBytes = 32
const cookieName = '-oidc'
const maxDeletedAtOnce = 1_000 // attempts at the identity provider deleted per statement

/** Values that bind the provider's response to the browser that was sent to the provider. */
export type Binding = { state: string; nonce: string; verifier: string }

/**
 * An attempt to sign in or step up at the provider. `sessionId` is the session to be stepped up; it is `null`
 * for a sign-in.
 */
export type ProviderAttempt = Binding & { sessionId: string | null; beganAt: Date }

type ProviderAttemptParts = Pick<Platform, 'baseUrl'>

/**
 * When the browser returns, it posts from a page of this service, so the cookie need not be sent with requests
 * from other sites.
 */
const rules = { sameSite: 'Strict', maxAgeSeconds: lifeMs / 1_000 } as const

/** Starts an attempt, and stores its secret in a cookie, which replaces the cookie of any earlier attempt. */
export async function beginProviderAttempt(
  tx: HomeTx,
  { baseUrl }: ProviderAttemptParts,
  { reply }: Browser,
  sessionId: string | null,
): Promise<Binding> {
  const secret = randomBytes(secretBytes).toString('base64url')
  await tx.run(sql`
    insert into oidc_tries (hash, session_id, began_at) values (${hashSecret(secret)}, ${sessionId}, ${new Date()})`)
  reply.header('set-cookie', cookie(baseUrl, cookieName, secret, rules))
  return bindingOf(secret)
}

/**
 * Returns the attempt of a returning browser, unless it has expired, and deletes it, so that it can be used
 * only once.
 */
export async function takeProviderAttempt(
  tx: HomeTx,
  { baseUrl }: ProviderAttemptParts,
  browser: Browser,
): Promise<ProviderAttempt | undefined> {
  const secret = readCookie(browser.request, baseUrl, cookieName)
  if (!secret) return undefined
  browser.reply.header('set-cookie', cookie(baseUrl, cookieName, '', rules))
  const row = await tx.one<Pick<ProviderAttempt, 'sessionId' | 'beganAt'>>(sql`
    delete from oidc_tries where hash = ${hashSecret(secret)} returning session_id, began_at`)
  const isOpen = row && row.beganAt.getTime() + lifeMs > Date.now()
  return isOpen ? { ...row, ...bindingOf(secret) } : undefined
}

/**
 * Derives all three values from the cookie's secret, so that a leaked table does not allow anyone to finish
 * another browser's attempt.
 */
const bindingOf = (secret: string): Binding => ({
  state: derive('state', secret),
  nonce: derive('nonce', secret),
  verifier: derive('verifier', secret),
})

const derive = (purpose: string, secret: string) =>
  createHash('sha256').update(`${purpose} ${secret}`).digest('base64url')

/** Deletes one batch of abandoned attempts, and returns the number deleted. */
export const forgetProviderAttempts = (tx: HomeTx, now: Date) =>
  tx.run(sql`
    delete from oidc_tries where hash in (
      select hash from oidc_tries where began_at < ${new Date(now.getTime() - lifeMs)} limit ${maxDeletedAtOnce})`)
