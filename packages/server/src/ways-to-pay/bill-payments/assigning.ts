import { paymentIds } from '../../money/payments/resources.ts'
import { readNow } from '../../platform/clock.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import { argumentRefusal, Refusal } from '../../platform/refusals.ts'
import { type Decider, readDecider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { applyManualPayment, isRefusal } from '../payment-codes/manual-payments.ts'
import { findMerchantCode } from '../payment-codes/payment-codes.ts'
import type { BookingParts } from './bills.ts'
import {
  type BillKey,
  lockBill,
  markAllocated,
  markClosed,
  type StoredBill,
  sealBill,
  selectBills,
} from './store.ts'

const maxListed = 1_000 // manual payments returned in one list

/**
 * Returns up to a thousand manual payments, oldest first. Unless `isAll` is set, only unallocated ones are
 * returned.
 */
export const listBills = (db: Reader, isAll: boolean): Promise<StoredBill[]> =>
  selectBills(db, isAll, maxListed)

/**
 * Assigns an unallocated manual payment to the payment code that an operator has identified. The payment is
 * accepted regardless of its amount and of the code's status.
 *
 * @returns the id of the payment, as shown in the API
 * @throws Refusal `not_found`; `state_conflict` if it is no longer unallocated; `arguments_invalid`
 */
export async function assignBill(
  tx: Tx,
  parts: Omit<BookingParts, 'clock'>,
  key: BillKey,
  number: string,
  decider: Decider,
): Promise<string> {
  const bill = await lockUnallocated(tx, key)
  const dialled = await findMerchantCode(tx, key.environment, number)
  if (!dialled) throw argumentRefusal('code', `is not a payment code in the ${key.environment} environment`)
  const { scope, code } = dialled
  const at = await readNow(tx, scope)
  const decided = { ...parts, clock: { now: () => at } }
  const outcome = await applyManualPayment(tx, decided, { scope, id: code.id }, { ...bill, at }, true)
  if (isRefusal(outcome))
    throw argumentRefusal('code', `is in ${code.currency}, but the payment was made in ${bill.currency}`)
  await sealBill(tx, key)
  await markAllocated(tx, key, scope, outcome.id)
  await writeAuditEntry(tx, scope, decider, {
    action: 'bill_payment.assign',
    objectType: 'payment',
    objectId: outcome.id,
    details: { connection: key.connection, transaction: key.transaction },
  })
  return showId(paymentIds, outcome.id)
}

/**
 * Closes a manual payment that an operator has dealt with elsewhere, for example by refunding it through the
 * provider.
 *
 * @throws Refusal `not_found`; `state_conflict` if it is no longer unallocated; `arguments_invalid`
 */
export async function closeBill(tx: Tx, key: BillKey, decider: Decider): Promise<void> {
  const { by, reason } = readDecider(decider)
  await lockUnallocated(tx, key)
  await sealBill(tx, key)
  await markClosed(tx, key, by, reason)
}

async function lockUnallocated(tx: Tx, key: BillKey): Promise<StoredBill> {
  const bill = await lockBill(tx, key)
  if (!bill) throw new Refusal('not_found', { message: 'There is no such manual payment.' })
  if (bill.status !== 'unallocated')
    throw new Refusal('state_conflict', { message: `This manual payment is already ${bill.status}.` })
  return bill
}
