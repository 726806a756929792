import type { Tx } from '../platform/db/database.ts'
import { durationMs } from '../platform/duration.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { recordAttempt } from './attempts.ts'
import { mailNotice } from './notices.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { findStep } from './totp.ts'
import { deleteTotp, lockTotp, markCodeAccepted, markCodeFailed, type TotpSecret } from './totp-store.ts'

const freeFailures = 5 // limit: wrong codes of a person in a row, after which each further one locks
const firstLockMs = durationMs('1m') // limit: the first lock after wrong codes; each one after it is twice as long
const longestLockMs = durationMs('1h') // limit: the longest lock after wrong codes

/** What became of a try; `locked`: it was not even looked at. */
export type CodeTry = { result: 'succeeded' } | { result: 'failed' } | { result: 'locked'; waitMs: number }

/**
 * Tries a code of a person's app, or a recovery code, which is used up by that. Tries of a person are counted one after the
 * other, from wherever they come; so this is written down, whatever the result, and must be committed before it is refused.
 * `undefined`: the person has no app.
 */
export async function tryCode(
  tx: Tx,
  { vault }: Pick<Platform, 'vault'>,
  code: string,
  { userId, isStepUp }: { userId: string; isStepUp: boolean },
  browser: Pick<Browser, 'address' | 'agent'>,
): Promise<CodeTry | undefined> {
  const own = await lockTotp(tx, userId)
  if (!own?.confirmedAt) return undefined
  const at = new Date()
  const method = isOfApp(code) ? 'totp' : 'recovery_code'
  const waitMs = (own.lockedUntil?.getTime() ?? 0) - at.getTime()
  const result = waitMs > 0 ? 'locked' : (await isRight(tx, vault, own, code, at)) ? 'succeeded' : 'failed'
  await recordAttempt(tx, { userId, method, isStepUp, result }, browser)
  if (result === 'locked') return { result, waitMs }
  if (result === 'failed') await countFailure(tx, own, at, browser)
  if (result === 'succeeded' && method === 'recovery_code')
    await mailNotice(tx, userId, 'recovery_code_used', browser)
  return { result }
}

const digitsOf = (code: string) => code.replace(/\s/g, '')
/** Recovery codes are longer, and of another alphabet. */
const isOfApp = (code: string) => /^\d{6}$/.test(digitsOf(code))

async function isRight(tx: Tx, vault: Platform['vault'], own: TotpSecret, code: string, at: Date) {
  const { userId, lastStep } = own
  if (!isOfApp(code)) {
    if (!(await useRecoveryCode(tx, userId, code))) return false
    await markCodeAccepted(tx, userId, lastStep)
    return true
  }
  const step = findStep(vault.unlock(totpPlaceOf(userId), own.secret), digitsOf(code), { at, lastStep })
  if (step === undefined) return false
  await markCodeAccepted(tx, userId, step)
  return true
}

/** A lock that is over does not forget what led to it: the next wrong code locks at once, and for longer. */
async function countFailure(tx: Tx, own: TotpSecret, at: Date, browser: Pick<Browser, 'address' | 'agent'>) {
  const failureCount = own.failureCount + 1
  const lockMs = lockMsAfter(failureCount)
  await markCodeFailed(tx, own.userId, failureCount, lockMs ? new Date(at.getTime() + lockMs) : null)
  if (lockMs > 0) await mailNotice(tx, own.userId, 'codes_locked', browser)
}

const lockMsAfter = (failureCount: number) =>
  failureCount < freeFailures ? 0 : Math.min(firstLockMs * 2 ** (failureCount - freeFailures), longestLockMs)

/** Where a person's secret is in the vault. */
export const totpPlaceOf = (userId: string) => `totp ${userId}`

/** @throws Refusal for a try that did not succeed: `too_many_requests` while codes are locked, else `sign_in_failed` */
export function refuseFailed(tried: CodeTry): void {
  if (tried.result === 'locked') throw tooManyRequests({ name: 'code-lock', waitMs: tried.waitMs }, locked)
  if (tried.result === 'failed') throw new Refusal('sign_in_failed', { message: wrongCode })
}

/**
 * Removes somebody's app, with its recovery codes, and mails them that. `from`: who does, and how.
 *
 * @throws Refusal `state_conflict`: there is none
 */
export async function removeTotp(tx: Tx, userId: string, from: Pick<Browser, 'address' | 'agent'>) {
  if (!(await deleteTotp(tx, userId))) throw noTotp()
  await mailNotice(tx, userId, 'totp_removed', from)
}

const locked = 'There were too many wrong codes: none is accepted for a while. Wait, or use a passkey.'
export const noTotp = () => new Refusal('state_conflict', { message: 'There is no authenticator app.' })
export const wrongCode = 'This code is wrong, was used before, or has expired.'
