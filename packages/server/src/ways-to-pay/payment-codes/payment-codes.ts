import { wholeNumber } from '@pesewa/values'
import { type NewEvent, publishEach } from '../../events/events.ts'
import { mainAccount } from '../../ledger/accounts/accounts.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { showId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { presentOwned } from '../../tenants/spaces/ownership.ts'
import { selectAttempts } from './attempt-store.ts'
import { codeIds } from './resources.ts'
import type { PaymentCodeSettings } from './settings.ts'
import type { PaymentCodeChange } from './shapes.ts'
import { type CodeStatus, next } from './states.ts'
import { type PaymentCode, selectCode, selectDialled, updateCode } from './store.ts'
import { isTargetMet } from './target.ts'
import { findKnown, validateCodeTerms } from './terms.ts'

export type PaymentCodeParts = Platform<PaymentCodeSettings> & Providers

/** A dialled code, whether open or not, with the name and country of its Space. */
export type DialledCode = { scope: Scope; code: PaymentCode; payee: string; country: string }

/**
 * Returns the codes with the given numbers in an environment, whichever Space they belong to. The map's keys
 * are the numbers.
 */
export async function findDialledCodes(
  db: Reader,
  environment: Environment,
  numbers: string[],
): Promise<Map<string, DialledCode>> {
  const rows = numbers.length > 0 ? await selectDialled(db, environment, numbers) : []
  return new Map(
    rows.map(({ spaceId, payee, country, isSuspended, sessionStatus, ...code }) => [
      code.number,
      {
        scope: { spaceId, environment },
        code: {
          ...code,
          // A session's code ends with its session.
          status: sessionStatus ?? code.status,
          // The codes of a suspended Space cannot be paid, whatever the merchant has set.
          enabled: code.enabled && !isSuspended,
        },
        payee,
        country,
      },
    ]),
  )
}

export const findDialledCode = async (db: Reader, environment: Environment, number: string) =>
  (await findDialledCodes(db, environment, [number])).get(number)

/** Returns the code of a merchant with this number. The code of a checkout session can only be dialled. */
export async function findMerchantCode(db: Reader, environment: Environment, number: string) {
  const found = await findDialledCode(db, environment, number)
  return found?.code.checkoutSessionId === null ? found : undefined
}

/** Returns whether the code is open, enabled and not expired. Payments in flight are not considered. */
export const isPayable = (code: PaymentCode, at: Date): boolean =>
  isOpen(code) && !isExpired(code, at) && code.enabled

export const isOpen = ({ status }: PaymentCode) => status === 'pending' || status === 'processing'
/** Returns whether a code has expired. No payment can start at or after `expiresAt`. */
export const isExpired = ({ expiresAt }: PaymentCode, at: Date) => at >= expiresAt

/**
 * Cancels an open code. Cancelling it again has no effect. This is refused while a payment is in flight, since
 * its money may still arrive.
 */
export async function cancelCode(tx: Tx, settings: PaymentCodeSettings, scope: Scope, id: string, at: Date) {
  const code = await lockCode(tx, scope, id)
  if (code.status === 'cancelled') return
  if (isExpired(code, at) || (await hasAttempt(tx, scope, id))) throw new Refusal('state_conflict')
  await end(tx, settings, scope, code, 'cancelled', at)
}

const waitForAttemptMs = 60_000

/**
 * Expires a code at `expiresAt` or, if a payment is in flight then, as soon as none is. If its expiry time has
 * been changed, another job handles the new time.
 */
export async function expireCode(
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  id: string,
  expiresAt: Date,
  at: Date,
) {
  const code = await lockCode(tx, scope, id)
  if (!isOpen(code) || code.expiresAt.getTime() !== expiresAt.getTime()) return
  // The clock of the node that runs this job may be slightly behind.
  if (!isExpired(code, at)) scheduleExpiry(tx, scope, code)
  else if (await hasAttempt(tx, scope, id))
    scheduleExpiry(tx, scope, code, new Date(at.getTime() + waitForAttemptMs))
  else await end(tx, settings, scope, code, 'expired', at)
}

const scheduleExpiry = (tx: Tx, ...job: Parameters<typeof expiryJob>) => scheduleEach(tx, [expiryJob(...job)])

/** Returns the job that expires a code. */
export const expiryJob = (scope: Scope, { id, expiresAt }: PaymentCode, dueAt = expiresAt) => ({
  dueAt,
  job: 'payment-code.expire',
  payload: { ...scope, codeId: id, expiresAt: expiresAt.toISOString() },
})

/** Ends a code and publishes the corresponding event. */
async function end(
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  code: PaymentCode,
  status: 'completed' | 'expired' | 'cancelled',
  at: Date,
) {
  const ended = withStatus(code, status, at)
  await updateCode(tx, scope, ended)
  await publishCode(tx, settings, scope, ended, status)
  return ended
}

/** Returns a copy of the code with another status. Does not save it. */
export function withStatus(code: PaymentCode, status: CodeStatus, at: Date): PaymentCode {
  if (!next[code.status].includes(status)) throw new Refusal('state_conflict')
  return { ...code, status, updatedAt: at }
}

export type Happening = 'created' | 'processed' | 'completed' | 'expired' | 'cancelled'

/**
 * Builds an event about a code, usually with one type. The last payment of a code leads to a single event with
 * the types `processed` and `completed`.
 */
export const codeEvent = (
  settings: PaymentCodeSettings,
  scope: Scope,
  code: PaymentCode,
  [first, ...more]: [Happening, ...Happening[]],
): Scoped<NewEvent> => ({
  scope,
  types: [`payment_code.${first}`, ...more.map((what) => `payment_code.${what}` as const)],
  objectId: code.id,
  data: presentCode(settings, scope, code),
  at: code.updatedAt,
})

const publishCode = (
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  code: PaymentCode,
  what: Happening,
) => publishEach(tx, [codeEvent(settings, scope, code, [what])])

const lockCode = async (tx: Tx, scope: Scope, id: string) =>
  existing(await selectCode(tx, scope, id, sql`for update`))

const hasAttempt = async (tx: Tx, scope: Scope, id: string) =>
  (await selectAttempts(tx, [{ scope, id }])).length > 0

/** Returns the text that a payer dials, such as `*715*482915#`. */
export const formatDialString = (shortCode: string, number: string) => `*${shortCode}*${number}#`

/** Returns the code number in a dial string, or `undefined` if the text is not exactly a dial string. */
export function readDialString(settings: PaymentCodeSettings, ussdCode: string): string | undefined {
  const number = ussdCode.slice(0, -1).split('*').at(-1) ?? ''
  const isDial = /^[0-9]{10}$/.test(number) && ussdCode === formatDialString(settings.ussdShortCode, number)
  return isDial ? number : undefined
}

/** Returns the code as an API resource. */
export function presentCode(settings: PaymentCodeSettings, scope: Scope, code: PaymentCode) {
  const money = (value: bigint | null) =>
    value === null ? null : { currency: code.currency, value: wholeNumber(value) }
  const { expectedCount, expectedTotal } = code
  return {
    id: showId(codeIds, code.id),
    mode: code.mode,
    status: code.status,
    name: code.name,
    amount: money(code.amount),
    enable: code.enabled,
    expireTime: code.expiresAt.toISOString(),
    customer: code.customerName === null ? null : { name: code.customerName },
    ussdCode: formatDialString(settings.ussdShortCode, code.number),
    reference: code.reference,
    authorizedProviders: code.authorizedProviders,
    authorizedPhoneNumber: code.authorizedPhoneNumber,
    recurrentPaymentTarget:
      expectedCount === null && expectedTotal === null
        ? null
        : { expectedPaymentCount: expectedCount, expectedPaymentTotal: money(expectedTotal) },
    financialAccountId: showId(accountIds, code.financialAccountId),
    processedPaymentData: code.processed,
    ...presentOwned(scope.spaceId, code),
  }
}

/**
 * Changes the given fields of an open code, and completes the code if it now meets its target. Payments in
 * flight are not affected.
 */
export async function changeCode(
  tx: Tx,
  parts: PaymentCodeParts,
  scope: Scope,
  id: string,
  change: PaymentCodeChange,
  at: Date,
): Promise<PaymentCode> {
  const code = await lockCode(tx, scope, id)
  if (!isOpen(code) || isExpired(code, at)) throw new Refusal('state_conflict')
  const issues = new Issues()
  const request = { scope, body: change, at }
  const terms = validateCodeTerms(await findKnown(tx, [request]), parts, code, request, issues)
  issues.refuse()
  await markChanging(tx, 'payment_code', sql`payment_codes`, [{ id, scope }])
  const { financialAccountId = code.financialAccountId } = terms
  const changed: PaymentCode = {
    ...code,
    ...terms,
    financialAccountId: financialAccountId ?? (await mainAccount(tx, scope, code.currency, at)),
    failedCount: 0,
    updatedAt: at,
  }
  if (isTargetMet(changed)) return end(tx, parts.settings, scope, changed, 'completed', at)
  await updateCode(tx, scope, changed)
  if (terms.expiresAt) scheduleExpiry(tx, scope, changed)
  return changed
}
