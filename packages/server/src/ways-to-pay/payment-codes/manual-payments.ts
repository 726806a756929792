import type { BillPayment, BillRefusal } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import { createOrders } from '../../money/payments/orders.ts'
import { startPayments } from '../../money/payments/payments.ts'
import type { Payment } from '../../money/payments/store.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { Seals } from '../../platform/seals.ts'
import { admitHandMade } from '../../rails/instructions/instructions.ts'
import { recordHandMade } from '../../rails/instructions/recording.ts'
import type { RecordingParts } from '../../rails/instructions/updates.ts'
import { selectAttempts } from './attempt-store.ts'
import { buildCodeOrder, recordAttempts } from './paying.ts'
import { isPayable } from './payment-codes.ts'
import { lockCodes, type PaymentCode } from './store.ts'
import { isTargetReserved } from './target.ts'

/** The details of a manual payment, either before or after the payer has made it. */
type ManualPaymentTerms = Pick<BillPayment, 'amount' | 'currency' | 'payerAccount' | 'payerMask'> & {
  providerId: string
}

/**
 * Returns why a manual payment cannot be accepted for a code, or `undefined` if nothing prevents it at the
 * moment. Reserves nothing.
 */
export const validateManualPayment = async (
  db: Reader,
  code: Scoped<PaymentCode>,
  made: ManualPaymentTerms,
  at: Date,
) => findManualRefusal(code, made, at, await selectAttempts(db, [code]))

/**
 * Returns why a manual payment cannot be accepted for a code, or `undefined` if it can. `inFlight` contains the
 * payments in flight for the code. Pass it only if the manual payment can still be stopped.
 */
function findManualRefusal(
  code: PaymentCode,
  made: ManualPaymentTerms,
  at: Date,
  inFlight: { amount: bigint }[] = [],
): BillRefusal | undefined {
  if (!isPayable(code, at) || isTargetReserved(code, inFlight)) return 'reference'
  if (code.currency !== made.currency || (code.amount !== null && code.amount !== made.amount))
    return 'amount'
  const isAuthorized = code.authorizedProviders === null || code.authorizedProviders.includes(made.providerId)
  return isAuthorized && isAuthorizedPayer(made, code.authorizedPhoneNumber) ? undefined : 'payer'
}

/** Returns whether the payer is allowed to pay the code, as far as the rail reveals who the payer is. */
function isAuthorizedPayer(
  { payerAccount, payerMask }: ManualPaymentTerms,
  authorized: string | null,
): boolean {
  if (authorized === null) return true
  if (payerAccount !== null) return payerAccount === authorized
  const [start = '', end = ''] = (payerMask ?? '').split(/\*+/)
  return (
    start.length + end.length >= minVisibleCharacters &&
    authorized.startsWith(start) &&
    authorized.endsWith(end)
  )
}

const minVisibleCharacters = 8 // minimum number of visible characters needed to compare a masked phone number

type MadeManualPayment = ManualPaymentTerms & {
  transaction: string
  environment: string
  connection: string
  at: Date
}

/**
 * Applies a manual payment to its code: creates and completes a payment of the code in the given transaction.
 * If the manual payment cannot be accepted, returns the reason. With `isDecided`, an operator has assigned the
 * payment, and only the currency must match.
 */
export async function applyManualPayment(
  tx: Tx,
  parts: RecordingParts & { seals: Seals },
  key: Scoped<{ id: string }>,
  made: MadeManualPayment,
  isDecided = false,
): Promise<Payment | BillRefusal> {
  const [code] = await lockCodes(tx, [key])
  const locked = must(code, 'code of a manual payment')
  const { amount, currency, at, payerAccount, payerMask } = made
  const refusal = isDecided
    ? locked.currency === currency
      ? undefined
      : 'amount'
    : findManualRefusal(locked, made, at)
  if (refusal) return refusal
  const { scope } = key
  const [order] = await createOrders(tx, [{ ...buildCodeOrder(locked, amount), scope, at }])
  const queues = { admit: admitHandMade(made.connection) }
  const [payment] = await startPayments(tx, { seals: parts.seals, queues }, [
    {
      scope,
      at,
      origin: { type: 'payment_code', id: locked.id, metadata: locked.metadata },
      purpose: `payment_code bill ${made.environment} ${made.connection} ${made.transaction}`,
      order: must(order, 'order of a payment'),
      reference: locked.reference,
      financialAccountId: locked.financialAccountId,
      returnUrl: null,
      type: 'momo',
      providerId: made.providerId,
      account: payerAccount,
      mask: payerMask,
    },
  ])
  const begun = must(payment, 'payment of a code')
  await recordAttempts(tx, [
    { code: locked, payment: begun, phoneNumber: payerAccount ?? payerMask ?? '', amount, at },
  ])
  await recordHandMade(tx, parts, [begun], {
    outcome: 'done',
    amount,
    currency,
    railTransaction: made.transaction,
  })
  return begun
}

export const isRefusal = (outcome: Payment | BillRefusal): outcome is BillRefusal =>
  typeof outcome === 'string'
