import type { Tx } from '../platform/db/database.ts'
import { durationMs } from '../platform/duration.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { recordAttempt } from './attempts.ts'
import { ownerOf } from './known-browsers.ts'
import { mailNotice } from './notices.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { findStep } from './totp.ts'
import {
  deleteTotp,
  failuresOf,
  lockTotp,
  markCodeAccepted,
  markCodeFailed,
  type TotpSecret,
} from './totp-store.ts'

const freeFailures = 5 // limit: wrong codes of an app in a row, after which each further one locks
const firstLockMs = durationMs('1m') // limit: the first lock after wrong codes; each one after it is twice as long
const longestLockMs = durationMs('1h') // limit: the longest lock after wrong codes

/** What became of a try; `locked`: it was not even looked at. */
export type CodeTry = { result: 'succeeded' } | { result: 'failed' } | { result: 'locked'; waitMs: number }

type CodeParts = Pick<Platform, 'vault' | 'baseUrl' | 'seals'>
type Trying = { userId: string; isStepUp: boolean }

/**
 * Tries a code of a person's app, or a recovery code, which is used up by that. Tries of a person are counted one after the
 * other, so this is written down, whatever the result, and must be committed before it is refused. `undefined`: the person has no app.
 */
export async function tryCode(
  tx: Tx,
  parts: CodeParts,
  code: string,
  { userId, isStepUp }: Trying,
  browser: Browser,
): Promise<CodeTry | undefined> {
  const own = await lockTotp(tx, userId)
  if (!own?.confirmedAt) return undefined
  const method = isOfApp(code) ? 'totp' : 'recovery_code'
  const tried =
    method === 'totp'
      ? await tryAppCode(tx, parts, own, code, browser)
      : await tryRecoveryCode(tx, userId, code, browser)
  await recordAttempt(tx, { userId, method, isStepUp, result: tried.result }, browser)
  return tried
}

const digitsOf = (code: string) => code.replace(/\s/g, '')
/** Recovery codes are longer, and of another alphabet. */
const isOfApp = (code: string) => /^\d{6}$/.test(digitsOf(code))

/**
 * Six digits can be guessed, so wrong ones lock. They are counted apart in browsers that the person has signed in with: whoever has a link
 * of theirs and no more can lock other browsers only.
 */
async function tryAppCode(
  tx: Tx,
  parts: CodeParts,
  own: TotpSecret,
  code: string,
  browser: Browser,
): Promise<CodeTry> {
  const { userId, lastStep } = own
  const at = new Date()
  const isKnown = ownerOf(parts, browser) === userId
  const failures = failuresOf(own, isKnown)
  const waitMs = (failures.lockedUntil?.getTime() ?? 0) - at.getTime()
  if (waitMs > 0) return { result: 'locked', waitMs }
  const secret = parts.vault.unlock(totpPlaceOf(userId), own.secret)
  const step = findStep(secret, digitsOf(code), { at, lastStep })
  if (step !== undefined) {
    await markCodeAccepted(tx, userId, step, isKnown)
    return { result: 'succeeded' }
  }
  // A lock that is over does not forget what led to it: the next wrong code locks at once, and for longer.
  const count = failures.count + 1
  const lockMs = lockMsAfter(count)
  const lockedUntil = lockMs > 0 ? new Date(at.getTime() + lockMs) : null
  await markCodeFailed(tx, userId, { count, lockedUntil }, isKnown)
  if (lockedUntil) await mailNotice(tx, userId, isKnown ? 'codes_locked' : 'codes_locked_elsewhere', browser)
  return { result: 'failed' }
}

const lockMsAfter = (count: number) =>
  count < freeFailures ? 0 : Math.min(firstLockMs * 2 ** (count - freeFailures), longestLockMs)

/** 80 random bits are guessed by nobody, so wrong ones lock nothing: these stay a way in while codes of the app are locked. */
async function tryRecoveryCode(tx: Tx, userId: string, code: string, browser: Browser): Promise<CodeTry> {
  if (!(await useRecoveryCode(tx, userId, code))) return { result: 'failed' }
  await mailNotice(tx, userId, 'recovery_code_used', browser)
  return { result: 'succeeded' }
}

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

const locked =
  'There were too many wrong codes: none of the app is accepted for a while. Wait, or use a recovery code or a passkey.'
export const noTotp = () => new Refusal('state_conflict', { message: 'There is no authenticator app.' })
export const wrongCode = 'This code is wrong, was used before, or has expired.'
