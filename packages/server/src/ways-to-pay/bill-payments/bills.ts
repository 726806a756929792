import { selectPayment } from '../../money/payments/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordHandMade } from '../../rails/instructions/recording.ts'
import { isOpen } from '../../rails/instructions/states.ts'
import { type Instruction, selectBilled } from '../../rails/instructions/store.ts'
import type { RecordingParts } from '../../rails/instructions/updates.ts'
import { applyManualPayment, isRefusal } from '../payment-codes/manual-payments.ts'
import { findMerchantCode } from '../payment-codes/payment-codes.ts'
import {
  insertBill,
  isPaymentAllocated,
  markAllocated,
  markUnallocated,
  type ReportedBill,
  sealBill,
  type UnallocatedReason,
} from './store.ts'

export type BookingParts = RecordingParts

/**
 * Result of booking a manual payment: it had already been recorded, was allocated, or was left unallocated for
 * an operator.
 */
export type BookingResult = 'known' | 'allocated' | 'unallocated'

/**
 * Books a manual payment exactly once, no matter how often it is reported. The reference identifies what was
 * paid: ten digits are a payment code, and twelve digits are the order number of a prompted payment, which the
 * rail also reports as a manual payment. A payment with any other reference is left for an operator and is not
 * posted to the ledger, because it is not known which Space it belongs to.
 */
export async function bookBill(tx: Tx, parts: BookingParts, bill: ReportedBill): Promise<BookingResult> {
  if (!(await insertBill(tx, bill))) return 'known'
  const booked = await allocateByReference(tx, parts, bill)
  if (booked === 'unallocated') await sealBill(tx, bill)
  return booked
}

async function allocateByReference(tx: Tx, parts: BookingParts, bill: ReportedBill): Promise<BookingResult> {
  const digits = readDigits(bill.accountReference)
  if (digits.length === codeDigits) return payCode(tx, parts, bill, digits)
  return digits.length === orderDigits ? payOrder(tx, parts, bill, digits) : 'unallocated'
}

const codeDigits = 10
const orderDigits = 12

/**
 * Removes the spaces, dots and dashes that payers type. Returns an empty string if anything other than digits
 * is left.
 */
export const readDigits = (reference: string): string =>
  /^[0-9 .-]+$/.test(reference) ? reference.replace(/[^0-9]/g, '') : ''

async function payCode(
  tx: Tx,
  parts: BookingParts,
  bill: ReportedBill,
  number: string,
): Promise<BookingResult> {
  const dialled = await findMerchantCode(tx, bill.environment, number)
  if (!dialled) return 'unallocated'
  const { scope, code } = dialled
  const made = { ...bill, at: parts.clock.now(scope) }
  const outcome = await applyManualPayment(tx, parts, { scope, id: code.id }, made)
  if (isRefusal(outcome)) return leaveUnallocated(tx, bill, outcome, scope.spaceId)
  await markAllocated(tx, bill, scope, outcome.id)
  return 'allocated'
}

async function leaveUnallocated(
  tx: Tx,
  bill: ReportedBill,
  reason: UnallocatedReason,
  spaceId: string,
): Promise<BookingResult> {
  await markUnallocated(tx, bill, reason, spaceId)
  return 'unallocated'
}

/**
 * Books a prompted payment that the rail also reports as a manual payment, with the order number as its
 * reference. Usually, the payment has already been recorded. If its response and its callback were lost, this
 * is the only report of it.
 */
async function payOrder(
  tx: Tx,
  parts: BookingParts,
  bill: ReportedBill,
  number: string,
): Promise<BookingResult> {
  const attempts = await selectBilled(tx, bill, number)
  for (const attempt of attempts) {
    const payment = await selectPayment(tx, attempt.scope, attempt.id)
    if (payment?.railTransaction === bill.transaction) return allocate(tx, bill, attempt)
  }
  const [newest] = attempts
  if (!newest) return 'unallocated'
  const meant = await findPaidAttempt(tx, attempts)
  if (!meant) return leaveUnallocated(tx, bill, 'order_paid', newest.scope.spaceId)
  const { amount, currency, transaction } = bill
  if (meant.amount !== amount || meant.currency !== currency)
    return leaveUnallocated(tx, bill, 'amount', meant.scope.spaceId)
  await recordHandMade(tx, parts, [meant], {
    outcome: 'done',
    amount,
    currency,
    railTransaction: transaction,
  })
  const paid = await selectPayment(tx, meant.scope, meant.id)
  // A callback for another transaction arrived after the attempts had been read.
  if (paid?.railTransaction != null && paid.railTransaction !== transaction)
    return leaveUnallocated(tx, bill, 'order_paid', meant.scope.spaceId)
  return allocate(tx, bill, meant)
}

/**
 * Returns the attempt that the payer has paid: the one in flight; otherwise, one that a query found to be paid
 * but whose transaction id is not known; otherwise, the newest failed one, since its money arrived after all.
 * Returns `undefined` if there is none.
 */
async function findPaidAttempt(tx: Tx, attempts: Instruction[]): Promise<Instruction | undefined> {
  const open = attempts.find(({ state }) => isOpen(state))
  if (open) return open
  for (const attempt of attempts.filter(({ state }) => state === 'succeeded')) {
    const payment = await selectPayment(tx, attempt.scope, attempt.id)
    if (payment?.railTransaction === null && !(await isPaymentAllocated(tx, attempt.scope, attempt.id)))
      return attempt
  }
  for (const attempt of attempts.filter(({ state }) => state === 'failed'))
    if (!(await isPaymentAllocated(tx, attempt.scope, attempt.id))) return attempt
  return undefined
}

async function allocate(tx: Tx, bill: ReportedBill, { scope, id }: Instruction): Promise<BookingResult> {
  await markAllocated(tx, bill, scope, id)
  return 'allocated'
}
