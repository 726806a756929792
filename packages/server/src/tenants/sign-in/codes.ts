import type { HomeTx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import { tooManyRequests } from '../../platform/limits/rate-limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { recordAttempt } from './attempt-store.ts'
import { lastUserIn } from './known-browsers.ts'
import { mailNotice } from './notices.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'
import {
  deleteTotp,
  failuresOf,
  lockTotp,
  markCodeAccepted,
  markCodeFailed,
  type TotpSecret,
} from './totp-store.ts'

const freeFailures = 5 // limit: consecutive wrong authenticator codes before codes are locked
const firstLockMs = durationMs('1m') // limit: duration of the first lock after wrong codes; each further lock is twice as long
const longestLockMs = durationMs('1h') // limit: maximum duration of a lock after wrong codes

/** The result of entering a code. `locked` means that the code was not checked. */
export type SignInCodeAttempt =
  | { result: 'succeeded' }
  | { result: 'failed' }
  | { result: 'locked'; waitMs: number }

type CodeParts = Pick<Platform, 'vault' | 'baseUrl' | 'seals'>
type CodeOwner = { userId: string; isStepUp: boolean }

/**
 * Checks a code from a user's authenticator app, or a recovery code, and uses it up. Returns `undefined` if the
 * user has no app. The row of the app is locked, and the attempt is recorded whatever its result, so the
 * transaction must be committed before the request is refused.
 */
export async function checkSignInCode(
  tx: HomeTx,
  parts: CodeParts,
  code: string,
  { userId, isStepUp }: CodeOwner,
  browser: Browser,
): Promise<SignInCodeAttempt | undefined> {
  const own = await lockTotp(tx, userId)
  if (!own?.confirmedAt) return undefined
  const method = isAppCode(code) ? 'totp' : 'recovery_code'
  const tried =
    method === 'totp'
      ? await checkAppCode(tx, parts, own, code, browser)
      : await checkRecoveryCode(tx, userId, code, browser)
  await recordAttempt(tx, { userId, method, isStepUp, result: tried.result }, browser)
  return tried
}

const withoutSpaces = (code: string) => code.replace(/\s/g, '')
/** Returns whether a code is from an app. Recovery codes are longer and use a different alphabet. */
const isAppCode = (code: string) => /^\d{6}$/.test(withoutSpaces(code))

/**
 * Checks a code from an authenticator app. Six digits can be guessed, so wrong codes cause a lock. Failures in
 * the user's known browsers are counted separately, so an attacker who has only stolen a link cannot lock the
 * user's own browsers.
 */
async function checkAppCode(
  tx: HomeTx,
  parts: CodeParts,
  own: TotpSecret,
  code: string,
  browser: Browser,
): Promise<SignInCodeAttempt> {
  const { userId, lastStep } = own
  const at = new Date()
  const isKnown = lastUserIn(parts, browser) === userId
  const failures = failuresOf(own, isKnown)
  const waitMs = (failures.lockedUntil?.getTime() ?? 0) - at.getTime()
  if (waitMs > 0) return { result: 'locked', waitMs }
  const secret = parts.vault.unlock(totpVaultLabel(userId), own.secret)
  const step = matchingStep(secret, withoutSpaces(code), { at, lastStep })
  if (step !== undefined) {
    await markCodeAccepted(tx, userId, step, isKnown)
    return { result: 'succeeded' }
  }
  // The count of failures is kept when a lock expires, so the next wrong code locks again immediately, and for
  // longer.
  const count = failures.count + 1
  const lockMs = lockMsAfter(count)
  const lockedUntil = lockMs > 0 ? new Date(at.getTime() + lockMs) : null
  await markCodeFailed(tx, userId, { count, lockedUntil }, isKnown)
  if (lockedUntil) await mailNotice(tx, userId, isKnown ? 'codes_locked' : 'codes_locked_elsewhere', browser)
  return { result: 'failed' }
}

const lockMsAfter = (count: number) =>
  count < freeFailures ? 0 : Math.min(firstLockMs * 2 ** (count - freeFailures), longestLockMs)

/**
 * Checks a recovery code. Its 80 random bits cannot be guessed, so wrong ones cause no lock. Recovery codes
 * also work while codes from the app are locked.
 */
async function checkRecoveryCode(
  tx: HomeTx,
  userId: string,
  code: string,
  browser: Browser,
): Promise<SignInCodeAttempt> {
  if (!(await useRecoveryCode(tx, userId, code))) return { result: 'failed' }
  await mailNotice(tx, userId, 'recovery_code_used', browser)
  return { result: 'succeeded' }
}

/** Returns the label under which the vault encrypts a user's TOTP secret. */
export const totpVaultLabel = (userId: string) => `totp ${userId}`

/**
 * Refuses the request if the code was not accepted.
 *
 * @throws Refusal `too_many_requests` while codes are locked; `sign_in_failed` if the code is wrong
 */
export function refuseFailed(tried: SignInCodeAttempt): void {
  if (tried.result === 'locked') throw tooManyRequests({ name: 'code-lock', waitMs: tried.waitMs }, locked)
  if (tried.result === 'failed') throw wrongCodeRefusal()
}

export const wrongCodeRefusal = () => new Refusal('sign_in_failed', { message: wrongCode })

/**
 * Removes a user's authenticator app together with its recovery codes, and notifies the user by email. `from`
 * contains the IP address and the User-Agent of the request.
 *
 * @throws Refusal `state_conflict` if the user has no app
 */
export async function removeTotp(tx: HomeTx, userId: string, from: Pick<Browser, 'address' | 'agent'>) {
  if (!(await deleteTotp(tx, userId))) throw noTotp()
  await mailNotice(tx, userId, 'totp_removed', from)
}

const locked = 'Too many wrong codes. Wait a while, or use a recovery code or a passkey.'
export const noTotp = () => new Refusal('state_conflict', { message: 'No authenticator app is set up.' })
const wrongCode = 'This code is wrong, already used, or expired.'
