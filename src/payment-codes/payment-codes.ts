import { type NewEvent, publishEach } from '../events/events.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { showId } from '../platform/ids.ts'
import { schedule } from '../platform/jobs/queue.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Environment, Scope } from '../platform/scope.ts'
import type { Providers } from '../providers/providers.ts'
import { spaceGraph } from '../spaces/ownership.ts'
import { selectAttempts } from './attempt-store.ts'
import { codeIds } from './resources.ts'
import type { PaymentCodeSettings } from './settings.ts'
import { type CodeStatus, type PaymentCode, selectCode, selectDialled, updateCode } from './store.ts'

export type { PaymentCode } from './store.ts'

/** From which state a code may go where. Anything else is refused, in `moveTo`. */
const next: Readonly<Record<CodeStatus, readonly CodeStatus[]>> = {
  pending: ['processing', 'completed', 'expired', 'cancelled'],
  processing: ['pending', 'completed', 'expired', 'cancelled'],
  completed: [],
  expired: [],
  cancelled: [],
}

/** What the slice works with. */
export type PaymentCodeParts = Platform<PaymentCodeSettings> & Providers

/** A code as a dial finds it, open or not, with the name and country of the Space that is paid. */
export type DialledCode = { scope: Scope; code: PaymentCode; payee: string; country: string }

/** The codes of these numbers in an environment, whichever Space's they are, by their numbers. */
export async function findDialledCodes(
  db: Reader,
  environment: Environment,
  numbers: string[],
): Promise<Map<string, DialledCode>> {
  const rows = numbers.length > 0 ? await selectDialled(db, environment, numbers) : []
  return new Map(
    rows.map(({ spaceId, payee, country, isSuspended, ...code }) => [
      code.number,
      // Of a Space that takes no payments none can be paid, whatever the merchant has set.
      {
        scope: { spaceId, environment },
        code: { ...code, enabled: code.enabled && !isSuspended },
        payee,
        country,
      },
    ]),
  )
}

export const findDialledCode = async (db: Reader, environment: Environment, number: string) =>
  (await findDialledCodes(db, environment, [number])).get(number)

/** Whether a payer may pay now, as far as the code itself decides. */
export const isPayable = (code: PaymentCode, at: Date): boolean =>
  isOpen(code) && !isPast(code, at) && code.enabled

export const isOpen = ({ status }: PaymentCode) => status === 'pending' || status === 'processing'
/** A payment begins only before the time, not at it. */
export const isPast = ({ expiresAt }: PaymentCode, at: Date) => at >= expiresAt

/** Cancels an open code; repeated, the same. While a payment is in flight money may still come: refused. */
export async function cancelCode(tx: Tx, settings: PaymentCodeSettings, scope: Scope, id: string, at: Date) {
  const code = await lockCode(tx, scope, id)
  if (code.status === 'cancelled') return
  if (isPast(code, at) || (await hasAttempt(tx, scope, id))) throw new Refusal('state_conflict')
  await end(tx, settings, scope, code, 'cancelled', at)
}

const waitForAttemptMs = 60_000

/**
 * Expires a code whose time `expiresAt` is over. While a payment is in flight it waits for that to end. A time that was
 * changed meanwhile has a job of its own.
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
  // Another node's clock may be a little ahead of this one's.
  if (!isPast(code, at)) await scheduleExpiry(tx, scope, code)
  else if (await hasAttempt(tx, scope, id))
    await scheduleExpiry(tx, scope, code, new Date(at.getTime() + waitForAttemptMs))
  else await end(tx, settings, scope, code, 'expired', at)
}

export const scheduleExpiry = (tx: Tx, scope: Scope, { id, expiresAt }: PaymentCode, dueAt = expiresAt) =>
  schedule(tx, dueAt, 'payment-code.expire', { ...scope, codeId: id, expiresAt: expiresAt.toISOString() })

/** Ends a code, and publishes that. */
export async function end(
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  code: PaymentCode,
  status: 'completed' | 'expired' | 'cancelled',
  at: Date,
) {
  const ended = moveTo(code, status, at)
  await updateCode(tx, scope, ended)
  await publishCode(tx, settings, scope, ended, status)
  return ended
}

/** The code in another state, not yet written. */
export function moveTo(code: PaymentCode, status: CodeStatus, at: Date): PaymentCode {
  if (!next[code.status].includes(status)) throw new Refusal('state_conflict')
  return { ...code, status, updatedAt: at }
}

export type Happening = 'created' | 'processed' | 'completed' | 'expired' | 'cancelled'

/** Usually one thing has happened; the last payment is `processed` and `completed` at once. */
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

export const publishCode = (
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  code: PaymentCode,
  what: Happening,
) => publishEach(tx, [codeEvent(settings, scope, code, [what])])

export async function lockCode(tx: Tx, scope: Scope, id: string): Promise<PaymentCode> {
  const code = await selectCode(tx, scope, id, sql`for update`)
  if (!code) throw new Refusal('not_found')
  return code
}

const hasAttempt = async (tx: Tx, scope: Scope, id: string) =>
  (await selectAttempts(tx, [{ scope, id }])).length > 0

/** What a payer dials: `*715*482915#`. */
export const dialOf = (shortCode: string, number: string) => `*${shortCode}*${number}#`

/** The number that exactly such a text dials, if any. */
export function numberOf(settings: PaymentCodeSettings, ussdCode: string): string | undefined {
  const number = ussdCode.slice(0, -1).split('*').at(-1) ?? ''
  const isDial = /^[0-9]{10}$/.test(number) && ussdCode === dialOf(settings.ussdShortCode, number)
  return isDial ? number : undefined
}

/** The resource as the API shows it. */
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
    ussdCode: dialOf(settings.ussdShortCode, code.number),
    reference: code.reference,
    authorizedProviders: code.authorizedProviders,
    authorizedPhoneNumber: code.authorizedPhoneNumber,
    recurrentPaymentTarget:
      expectedCount === null && expectedTotal === null
        ? null
        : { expectedPaymentCount: expectedCount, expectedPaymentTotal: money(expectedTotal) },
    financialAccountId: showId(accountIds, code.financialAccountId),
    processedPaymentData: code.processed,
    createTime: code.createdAt.toISOString(),
    updateTime: code.updatedAt.toISOString(),
    ownershipGraph: spaceGraph(scope.spaceId),
    metadata: code.metadata,
  }
}
