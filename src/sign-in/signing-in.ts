import Type from 'typebox'
import type { Tx } from '../platform/db/database.ts'
import { callerAt } from '../platform/http/caller.ts'
import { sessionCookie, sessionSecretIn } from '../platform/http/credentials.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import { described, idOf, object } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { createWindowCounter } from '../platform/window-counter.ts'
import { userIds } from '../spaces/resources.ts'
import { beginSession, endSession, findSession, type SignInMethod } from '../spaces/sessions.ts'
import { recordAttempt } from './attempts.ts'
import { knowBrowser, ownerOf } from './known-browsers.ts'
import { beginSecondStep } from './second-steps.ts'
import { selectTotp } from './totp-store.ts'

const failuresPerCaller = 20 // limit: failed tries to sign in of an address, or of a person's own browsers, in a quarter of an hour
const begunPerCaller = 100 // limit: links asked for and sign-ins begun by an address, or by a person's own browsers, in a quarter of an hour
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

/** Begins a session in the browser, and ends the one that it had. `shownAt`: as of `beginSession`. */
export async function startSession(
  parts: SigningInParts,
  tx: Tx,
  userId: string,
  method: SignInMethod,
  browser: Browser,
  shownAt?: Date,
) {
  const { address, agent, request, reply } = browser
  const before = await findSession(tx, sessionSecretIn(request, parts.baseUrl), new Date())
  if (before) await endSession(tx, before.userId, before.id)
  const secret = await beginSession(tx, { userId, method, address, agent, shownAt }, new Date())
  reply.header('set-cookie', sessionCookie(parts.baseUrl, secret))
  knowBrowser(parts, userId, browser)
  return { userId: showId(userIds, userId), isCodeNeeded: false }
}

/** Limits on signing in, which all ways share. A browser that somebody has signed in with counts for them, any other for its address. */
export type SignInLimits = {
  /** Counts what has no outcome yet. @throws Refusal `too_many_requests` */
  begin(browser: Browser): void
  /** Counts a try that fails: however many sign in correctly behind one address, none is kept out. @throws Refusal `too_many_requests` */
  attempt<T>(browser: Browser, work: () => Promise<T>): Promise<T>
}

export function createSignInLimits(parts: Pick<Platform, 'settings' | 'baseUrl' | 'seals'>): SignInLimits {
  const failed = createWindowCounter(failuresPerCaller, windowMs, maxCounted)
  const begun = createWindowCounter(begunPerCaller, windowMs, maxCounted)
  const keyOf = (browser: Browser) => ownerOf(parts, browser) ?? callerAt(browser.address)
  const count = (counter: typeof failed, key: string) => {
    if (parts.settings.rateLimits === 'off') return
    const waitMs = counter.waitMs(key)
    if (waitMs > 0) throw tooManyRequests({ name: 'sign-in-limit', waitMs })
    counter.count(key)
  }
  return {
    begin: (browser) => count(begun, keyOf(browser)),
    async attempt(browser, work) {
      const key = keyOf(browser)
      // Counted before: tries at once count, too. What did not fail is taken back.
      count(failed, key)
      let hasFailed = false
      try {
        return await work()
      } catch (error) {
        // Neither a question that the page asks next nor trouble of our own is a failure of theirs.
        hasFailed = error instanceof Refusal && error.reason !== 'state_conflict' && error.status < 500
        throw error
      } finally {
        if (!hasFailed) failed.forgive(key)
      }
    },
  }
}
