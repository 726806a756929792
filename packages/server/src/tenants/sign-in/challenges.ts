import { createHash, randomBytes } from 'node:crypto'
import type { HomeTx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import { cookie, readCookie } from '../../platform/http/admission/cookies.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import type { Platform } from '../../platform/platform.ts'

export const challengeMs = durationMs('5m') // how long a passkey challenge is valid
const randomLength = 32
const cookieName = '-challenge'
const maxDeletedAtOnce = 1_000

type ChallengePurpose = 'register' | 'sign_in' | 'step_up'

/**
 * The purpose of a challenge, and the session or browser to which it is bound. The challenge is not valid for
 * any other purpose, session or browser.
 */
export type ChallengeBinding = { purpose: ChallengePurpose; boundTo: Buffer }

/**
 * Stores and returns a new challenge of 256 random bits, in base64url. It replaces any earlier challenge with
 * the same purpose and binding.
 */
export async function issueChallenge(tx: HomeTx, { purpose, boundTo }: ChallengeBinding): Promise<string> {
  const challenge = randomBytes(randomLength).toString('base64url')
  await tx.run(sql`
    insert into sign_in_challenges (bound_to, purpose, challenge, expires_at)
    values (${boundTo}, ${purpose}, ${challenge}, ${new Date(Date.now() + challengeMs)})
    on conflict (bound_to, purpose) do update set challenge = excluded.challenge, expires_at = excluded.expires_at`)
  return challenge
}

/**
 * Returns the challenge, unless it has expired, and deletes it, so that it can be used only once even if the
 * verification fails.
 */
export async function takeChallenge(
  tx: HomeTx,
  { purpose, boundTo }: ChallengeBinding,
): Promise<string | undefined> {
  const row = await tx.one<{ challenge: string; isOpen: boolean }>(sql`
    delete from sign_in_challenges where bound_to = ${boundTo} and purpose = ${purpose}
    returning challenge, expires_at > ${new Date()} as is_open`)
  return row?.isOpen ? row.challenge : undefined
}

const hash = (text: string) => createHash('sha256').update(text).digest()

export const bindToSession = (purpose: ChallengePurpose, sessionId: string): ChallengeBinding => ({
  purpose,
  boundTo: hash(`session ${sessionId}`),
})

/**
 * Returns the binding for a browser that has no session. The browser gets a cookie, of which only the hash is
 * stored.
 */
export function bindToNewBrowser(
  { baseUrl }: Pick<Platform, 'baseUrl'>,
  { reply }: Browser,
): ChallengeBinding {
  const secret = randomBytes(randomLength).toString('base64url')
  const maxAgeSeconds = challengeMs / 1_000
  reply.header('set-cookie', cookie(baseUrl, cookieName, secret, { sameSite: 'Strict', maxAgeSeconds }))
  return { purpose: 'sign_in', boundTo: hash(`browser ${secret}`) }
}

export const bindToBrowser = (
  { baseUrl }: Pick<Platform, 'baseUrl'>,
  { request }: Browser,
): ChallengeBinding => ({
  purpose: 'sign_in',
  boundTo: hash(`browser ${readCookie(request, baseUrl, cookieName) ?? ''}`),
})

/** Deletes one batch of the challenges that expired before `before`, and returns the number deleted. */
export const forgetChallenges = (tx: HomeTx, before: Date) =>
  tx.run(sql`
    delete from sign_in_challenges where (bound_to, purpose) in (
      select bound_to, purpose from sign_in_challenges where expires_at < ${before} limit ${maxDeletedAtOnce})`)
