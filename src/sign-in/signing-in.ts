import Type from 'typebox'
import type { Tx } from '../platform/db/database.ts'
import { callerAt } from '../platform/http/caller.ts'
import { sessionCookie } from '../platform/http/credentials.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import { described, idOf, object } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { createWindowCounter } from '../platform/window-counter.ts'
import { userIds } from '../spaces/resources.ts'
import { beginSession, type SignInMethod } from '../spaces/sessions.ts'
import { recordAttempt } from './attempts.ts'
import { knowBrowser } from './known-browsers.ts'
import { beginSecondStep } from './second-steps.ts'
import { selectTotp } from './totp-store.ts'

const attemptsPerAddress = 20 // limit: tries to sign in from one address in a quarter of an hour
const windowMs = 15 * 60_000
const maxCounted = 10_000 // limit: addresses whose tries to sign in a node counts

export const signedIn = object(
  {
    userId: described(idOf(userIds), 'Who signed in.'),
    isCodeNeeded: Type.Boolean({
      description:
        'Nobody is signed in yet: `POST /v1/sign-in/code` with a code of their authenticator app does it, within ten minutes.',
    }),
  },
  { title: 'SignedIn' },
)

type SigningInParts = Pick<Platform, 'baseUrl' | 'seals'>

/** A link belongs to a mailbox, and is one factor: whoever has an authenticator app is asked for a code, too. */
export async function signInByLink(parts: SigningInParts, tx: Tx, userId: string, browser: Browser) {
  const isCodeNeeded = Boolean((await selectTotp(tx, userId))?.confirmedAt)
  if (!isCodeNeeded) return signIn(parts, tx, userId, 'link', browser)
  await recordAttempt(tx, { userId, method: 'link', isStepUp: false, result: 'succeeded' }, browser)
  await beginSecondStep(tx, parts, userId, browser)
  return { userId: showId(userIds, userId), isCodeNeeded }
}

/** Signs in whoever has shown all that they are asked for. */
export async function signIn(
  parts: SigningInParts,
  tx: Tx,
  userId: string,
  method: SignInMethod,
  browser: Browser,
  shownAt?: Date,
) {
  await recordAttempt(tx, { userId, method, isStepUp: false, result: 'succeeded' }, browser)
  return startSession(parts, tx, userId, method, browser, shownAt)
}

/** Begins a session in the browser, in place of whatever it had. `shownAt`: as of `beginSession`. */
export async function startSession(
  parts: SigningInParts,
  tx: Tx,
  userId: string,
  method: SignInMethod,
  browser: Browser,
  shownAt?: Date,
) {
  const { address, agent, reply } = browser
  const secret = await beginSession(tx, { userId, method, address, agent, shownAt }, new Date())
  reply.header('set-cookie', sessionCookie(parts.baseUrl, secret))
  knowBrowser(parts, userId, browser)
  return { userId: showId(userIds, userId), isCodeNeeded: false }
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
