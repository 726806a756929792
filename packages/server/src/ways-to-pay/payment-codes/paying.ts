import assert from 'node:assert/strict'
import { maxAmount, must } from '@pesewa/values'
import { createOrders } from '../../money/payments/orders.ts'
import { type PaymentParts, type PaymentStart, startPayments } from '../../money/payments/payments.ts'
import { openPromptBudget } from '../../money/payments/prompts.ts'
import type { PaymentSettings } from '../../money/payments/settings.ts'
import type { Order, Payment } from '../../money/payments/store.ts'
import type { PlatformSettings } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Environment } from '../../platform/scope.ts'
import { insertAttempts, selectAttempts } from './attempt-store.ts'
import { isExpired, isOpen, withStatus } from './payment-codes.ts'
import { lockCodes, markProcessing, type PaymentCode } from './store.ts'
import { isTargetReserved } from './target.ts'

const maxInFlight = 100 // limit: payments in flight for a recurrent code; at most one for each phone
/** Each attempt sends a prompt to a phone. A completed payment or a change to the code resets the count. */
const maxFailedInRow = 100 // consecutive failed attempts to pay a code before it accepts no more

/**
 * The reason why a payer cannot pay: the code has ended or expired; it is disabled; no other payment of it can
 * start right now; it has changed since it was shown; or the phone has received too many prompts.
 */
export type Refused = 'over' | 'disabled' | 'busy' | 'changed' | TooManyPrompts

/** The payer's phone has received too many prompts; `retryAfterMs` is the time until the next one is allowed. */
export type TooManyPrompts = { retryAfterMs: number }

export const isRefused = (outcome: Payment | Refused): outcome is Refused =>
  typeof outcome === 'string' || 'retryAfterMs' in outcome

/**
 * The payer's phone number in E.164 format, its provider, and the amount, in minor units, that was shown to the
 * payer or typed by the payer.
 */
export type CodePayer = { phoneNumber: string; providerId: string; amount: bigint }

/** A payer's confirmation of a payment, with its time on the clock of the code's Space. */
export type Confirmation = Scoped<{ codeId: string; payer: CodePayer; at: Date }>

/**
 * Starts a payment for each confirmation, across the Spaces in one environment, or returns why it could not be
 * started. A code can be paid if it was open at the time of the confirmation. The lock on the code's row and,
 * within a batch, the order of the confirmations determine who was first.
 */
export async function payCodes(
  tx: Tx,
  parts: PaymentParts & { settings: PlatformSettings & PaymentSettings },
  environment: Environment,
  confirmations: Confirmation[],
): Promise<(Payment | Refused)[]> {
  const codes = byGlobalName(await lockCodes(tx, confirmations.map(codeOf)))
  const inFlight = new Map<string, InFlight[]>(
    Map.groupBy(await selectAttempts(tx, [...codes.values()]), ({ scope, paymentCodeId }) =>
      globalName(scope, paymentCodeId),
    ),
  )
  const prompts = await openPromptBudget(tx, parts.settings, environment, confirmations.map(promptOf))
  const judged = confirmations.map((confirmation) => {
    const { payer, at } = confirmation
    assert(payer.amount > 0n && payer.amount <= BigInt(maxAmount), 'a payment must have a valid amount')
    const code = codes.get(codeKey(confirmation))
    assert(code, 'a dialled code must exist')
    const ofCode = inFlight.get(codeKey(confirmation)) ?? []
    const refused =
      findCodeRefusal(code, payer, ofCode, at) ?? tooManyPrompts(prompts.take(promptOf(confirmation)))
    // Later confirmations in the batch must see this payment in flight.
    if (!refused) inFlight.set(codeKey(confirmation), [...ofCode, payer])
    return { code, payer, at, refused }
  })
  prompts.save()
  const begun = await startCodePayments(
    tx,
    parts,
    judged.filter(({ refused }) => !refused),
  )
  const payments = begun.values()
  return judged.map(({ refused }) => refused ?? must(payments.next().value, 'payment of a code'))
}

const codeOf = ({ scope, codeId: id }: Confirmation) => ({ scope, id })
const codeKey = ({ scope, codeId }: Confirmation) => globalName(scope, codeId)
const promptOf = ({ scope, payer: { phoneNumber } }: Confirmation) => ({ scope, phoneNumber })

const tooManyPrompts = (waitMs: number | undefined): TooManyPrompts | undefined =>
  waitMs === undefined ? undefined : { retryAfterMs: waitMs }

type InFlight = Pick<CodePayer, 'phoneNumber' | 'amount'>

/** Starts payments for codes that are locked and known to be payable. */
export async function startCodePayments(
  tx: Tx,
  parts: PaymentParts,
  paid: { code: Scoped<PaymentCode>; payer: CodePayer; at: Date }[],
): Promise<Payment[]> {
  if (paid.length === 0) return []
  const orders = await createOrders(
    tx,
    paid.map(({ code, payer, at }) => ({ ...buildCodeOrder(code, payer.amount), scope: code.scope, at })),
  )
  const starts = paid.map(({ code, payer, at }, i) => ({
    ...buildPaymentStart(code, payer, must(orders[i], 'order of a payment')),
    scope: code.scope,
    at,
  }))
  const payments = await startPayments(tx, parts, starts)
  await recordAttempts(
    tx,
    paid.map(({ code, payer: { phoneNumber, amount }, at }, i) => ({
      code,
      payment: must(payments[i], 'payment of a code'),
      phoneNumber,
      amount,
      at,
    })),
  )
  return payments
}

type BegunAttempt = Pick<CodePayer, 'phoneNumber' | 'amount'> & {
  code: Scoped<PaymentCode>
  payment: Payment
  at: Date
}

/** Records the payments now in flight for locked codes. */
export async function recordAttempts(tx: Tx, begun: BegunAttempt[]): Promise<void> {
  insertAttempts(
    tx,
    begun.map(({ code, payment, phoneNumber, amount, at }) => ({
      scope: code.scope,
      paymentCodeId: code.id,
      paymentId: payment.id,
      phoneNumber,
      amount,
      createdAt: at,
    })),
  )
  const moving = begun
    .filter(({ code }) => code.status === 'pending')
    .map(({ code, at }) => ({ ...withStatus(code, 'processing', at), scope: code.scope }))
  if (moving.length > 0) await markProcessing(tx, moving)
}

const buildPaymentStart = (
  code: PaymentCode,
  { phoneNumber, providerId }: CodePayer,
  order: Order,
): PaymentStart => ({
  origin: { type: 'payment_code', id: code.id, metadata: code.metadata },
  purpose: purposeOf(code, phoneNumber, order.amount),
  order,
  reference: code.reference,
  financialAccountId: code.financialAccountId,
  returnUrl: null,
  type: 'momo',
  providerId,
  account: phoneNumber,
})

/**
 * Returns the `purpose` of a payment of a code. It includes the payer and the amount, because many payers may
 * pay one code, and the same payer may pay it again with a different amount. Older codes have no idempotency
 * key.
 */
const purposeOf = ({ id, idempotencyKey }: PaymentCode, phoneNumber: string, amount: bigint) =>
  idempotencyKey === null
    ? `payment_code ${id} ${phoneNumber} ${amount}`
    : `payment_code_request ${phoneNumber} ${amount} ${idempotencyKey}`

function findCodeRefusal(
  code: PaymentCode,
  payer: CodePayer,
  inFlight: InFlight[],
  at: Date,
): Refused | undefined {
  if (!isOpen(code) || isExpired(code, at)) return 'over'
  if (!code.enabled) return 'disabled'
  if (!isAsShown(code, payer)) return 'changed'
  const isBusy =
    code.failedCount >= maxFailedInRow ||
    inFlight.length >= maxInFlight ||
    inFlight.some(({ phoneNumber }) => phoneNumber === payer.phoneNumber) ||
    isTargetReserved(code, inFlight)
  return isBusy ? 'busy' : undefined
}

/**
 * Returns whether the code still matches what the payer was shown. The merchant may have changed it while the
 * payer was reading.
 */
const isAsShown = (code: PaymentCode, { phoneNumber, providerId, amount }: CodePayer) =>
  (code.amount === null || code.amount === amount) &&
  (code.authorizedPhoneNumber === null || code.authorizedPhoneNumber === phoneNumber) &&
  (code.authorizedProviders === null || code.authorizedProviders.includes(providerId))

/** Returns the order for a payment of the code. The payer's receipt refers to it. */
export const buildCodeOrder = ({ name, currency }: PaymentCode, amount: bigint) => ({
  name,
  amount,
  currency,
  entitlements: [{ key: 'payment', name, limit: 1 }],
})
