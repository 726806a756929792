import type { HomeTx } from '../../platform/db/database.ts'
import { callerKey } from '../../platform/http/admission/caller.ts'
import { sessionCookie, sessionSecretIn } from '../../platform/http/admission/credentials.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import { flag, idOf, object, withDescription } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { requireLimits } from '../../platform/limits/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { userIds } from '../spaces/resources.ts'
import type { SignInMethod } from '../spaces/session-store.ts'
import { beginSession, endSession, findSession, freshenSession } from '../spaces/sessions.ts'
import { recordAttempt } from './attempt-store.ts'
import { lastUserIn, rememberBrowser } from './known-browsers.ts'
import type { SignedInUser } from './own-route.ts'
import { beginSecondStep } from './second-steps.ts'
import { selectTotp } from './totp-store.ts'

const failuresPerCaller = 20 // limit: failed sign-in attempts per IP address, or per user in their known browsers, in 15 minutes
const begunPerCaller = 100 // sign-ins started and links requested per IP address, or per user in their known browsers, in 15 minutes
const windowMs = 15 * 60_000

export const signedIn = object(
  {
    userId: withDescription(idOf(userIds), 'User who is signing in.'),
    isCodeNeeded: flag(
      'True if an authenticator code is still needed: send it to `POST /v1/sign-in/code` within ten minutes.',
    ),
  },
  { title: 'SignedIn' },
)

export const steppedUp = object({ isFresh: flag('Always true.') })

type SigningInParts = Pick<Platform, 'baseUrl' | 'seals'>

/**
 * Signs a user in with a link. A link proves only access to a mailbox, so users with an authenticator app must
 * also enter a code.
 */
export async function signInByLink(parts: SigningInParts, tx: HomeTx, userId: string, browser: Browser) {
  const isCodeNeeded = Boolean((await selectTotp(tx, userId))?.confirmedAt)
  if (!isCodeNeeded) return signIn(parts, tx, userId, 'link', browser)
  await recordAttempt(tx, { userId, method: 'link', isStepUp: false, result: 'succeeded' }, browser)
  await beginSecondStep(tx, parts, userId, browser)
  return { userId: showId(userIds, userId), isCodeNeeded }
}

/** Signs in a user who has completed all required steps. */
export async function signIn(
  parts: SigningInParts,
  tx: HomeTx,
  userId: string,
  method: SignInMethod,
  browser: Browser,
  shownAt?: Date,
) {
  await recordAttempt(tx, { userId, method, isStepUp: false, result: 'succeeded' }, browser)
  return startSession(parts, tx, userId, method, browser, shownAt)
}

/** Starts a session in the browser, and ends any earlier one. For `shownAt`, see `beginSession`. */
export async function startSession(
  parts: SigningInParts,
  tx: HomeTx,
  userId: string,
  method: SignInMethod,
  browser: Browser,
  shownAt?: Date,
) {
  const { address, agent, request, reply } = browser
  const before = await findSession(tx, sessionSecretIn(request, parts.baseUrl), new Date())
  if (before) await endSession(tx, before.userId, before.id)
  const secret = await beginSession(
    tx,
    { userId, method, address, agent, authenticatedAt: shownAt },
    new Date(),
  )
  reply.header('set-cookie', sessionCookie(parts.baseUrl, secret))
  rememberBrowser(parts, userId, browser)
  return { userId: showId(userIds, userId), isCodeNeeded: false }
}

/** Records a step-up attempt and, if the user's proof is good, makes their session fresh. Returns `isGood`. */
export async function finishStepUp(tx: HomeTx, method: SignInMethod, isGood: boolean, person: SignedInUser) {
  const { userId, sessionId } = person
  const result = isGood ? 'succeeded' : 'failed'
  await recordAttempt(tx, { userId, method, isStepUp: true, result }, person)
  if (isGood) await freshenSession(tx, sessionId, new Date())
  return isGood
}

/**
 * Rate limits shared by all sign-in methods. Attempts from a known browser count towards its user's limit, and
 * all others towards the limit of their IP address.
 */
export type SignInLimits = {
  /** Counts the start of a sign-in. @throws Refusal `too_many_requests` */
  begin(browser: Browser): Promise<void>
  /**
   * Runs an attempt and counts it only if it fails, so that the people in an office who share an IP address do
   * not lock each other out.
   * @throws Refusal `too_many_requests`
   */
  attempt<T>(browser: Browser, work: () => Promise<T>): Promise<T>
}

export function createSignInLimits(parts: Platform): SignInLimits {
  const limitOf = (browser: Browser, what: string, atMost: number) => ({
    ...{
      name: 'sign-in-limit',
      key: `sign-in ${what} ${lastUserIn(parts, browser) ?? callerKey(browser.address)}`,
    },
    ...{ atMost, perMs: windowMs },
  })
  const isOn = parts.settings.rateLimits === 'on'
  return {
    async begin(browser) {
      if (isOn) await requireLimits(parts, limitOf(browser, 'begun', begunPerCaller))
    },
    async attempt(browser, work) {
      if (!isOn) return work()
      const failures = limitOf(browser, 'failed', failuresPerCaller)
      // The attempt is counted first, so that concurrent attempts count, too. If it does not fail, it is
      // subtracted again below.
      await requireLimits(parts, failures)
      let hasFailed = false
      try {
        return await work()
      } catch (error) {
        // A follow-up question (`state_conflict`) or an internal error does not count as a failed attempt.
        hasFailed = error instanceof Refusal && error.reason !== 'state_conflict' && error.status < 500
        throw error
      } finally {
        if (!hasFailed) parts.limiter.count(failures, -1)
      }
    },
  }
}
