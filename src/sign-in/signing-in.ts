import type { Tx } from '../platform/db/database.ts'
import { callerAt } from '../platform/http/caller.ts'
import { sessionCookie } from '../platform/http/credentials.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import { idOf, object } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { createWindowCounter } from '../platform/window-counter.ts'
import { userIds } from '../spaces/resources.ts'
import { beginSession, type SignInMethod } from '../spaces/sessions.ts'
import { recordAttempt } from './attempts.ts'
import { knowBrowser } from './known-browsers.ts'

const attemptsPerAddress = 20 // limit: tries to sign in from one address in a quarter of an hour
const windowMs = 15 * 60_000
const maxCounted = 10_000 // limit: addresses whose tries to sign in a node counts

export const signedIn = object({ userId: idOf(userIds) }, { title: 'SignedIn' })

/** Begins a session in the browser, in place of whatever it had. */
export async function signIn(
  parts: Pick<Platform, 'baseUrl' | 'seals'>,
  tx: Tx,
  userId: string,
  method: SignInMethod,
  browser: Browser,
) {
  const { address, agent, reply } = browser
  const secret = await beginSession(tx, { userId, method, address, agent }, new Date())
  await recordAttempt(tx, { userId, method, isStepUp: false, result: 'succeeded' }, browser)
  reply.header('set-cookie', sessionCookie(parts.baseUrl, secret))
  knowBrowser(parts, userId, browser)
  return { userId: showId(userIds, userId) }
}

export type CountAttempt = (browser: Pick<Browser, 'address'>) => void

/** Counts a try by its address. @throws Refusal `too_many_requests` */
export function createAttemptCounter({ settings }: Pick<Platform, 'settings'>): CountAttempt {
  const attempts = createWindowCounter(attemptsPerAddress, windowMs, maxCounted)
  return ({ address }) => {
    if (settings.rateLimits === 'off') return
    const caller = callerAt(address)
    const waitMs = attempts.waitMs(caller)
    if (waitMs > 0) throw tooManyRequests({ name: 'sign-in-limit', waitMs })
    attempts.count(caller)
  }
}
