import { isRefusal, payByHand } from '../payment-codes/made-by-hand.ts'
import { findDialledCode } from '../payment-codes/payment-codes.ts'
import { paymentIds } from '../payments/resources.ts'
import { readNow } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { showId } from '../platform/ids.ts'
import { argumentRefusal, Refusal } from '../platform/refusals.ts'
import { checkDecider, type Decider, writeAuditEntry } from '../spaces/audit.ts'
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

export type { BillKey, StoredBill } from './store.ts'

const maxListed = 1_000 // limit: payments by hand that are listed

/** Oldest first, at most a thousand; without `isAll` those that wait for a person. */
export const listBills = (db: Reader, isAll: boolean): Promise<StoredBill[]> =>
  selectBills(db, isAll, maxListed)

/**
 * A person found out which payment code was meant: it is paid, whatever its amount and state.
 *
 * @returns the payment, as the API names it
 * @throws Refusal `not_found`; `state_conflict` when it does not wait any more; `arguments_invalid`
 */
export async function assignBill(
  tx: Tx,
  parts: Omit<BookingParts, 'clock'>,
  key: BillKey,
  number: string,
  decider: Decider,
): Promise<string> {
  const bill = await lockWaiting(tx, key)
  const dialled = await findDialledCode(tx, key.environment, number)
  if (!dialled) throw argumentRefusal('code', `is no payment code of the ${key.environment} environment`)
  const { scope, code } = dialled
  const at = await readNow(tx, scope)
  const decided = { ...parts, clock: { now: () => at } }
  const outcome = await payByHand(tx, decided, { scope, id: code.id }, { ...bill, at }, true)
  if (isRefusal(outcome))
    throw argumentRefusal('code', `is in ${code.currency}; the payment was made in ${bill.currency}`)
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
 * A person saw to it elsewhere: it was given back at the rail, say.
 *
 * @throws Refusal `not_found`; `state_conflict` when it does not wait any more; `arguments_invalid`
 */
export async function closeBill(tx: Tx, key: BillKey, decider: Decider): Promise<void> {
  const { by, reason } = checkDecider(decider)
  await lockWaiting(tx, key)
  await sealBill(tx, key)
  await markClosed(tx, key, by, reason)
}

async function lockWaiting(tx: Tx, key: BillKey): Promise<StoredBill> {
  const bill = await lockBill(tx, key)
  if (!bill) throw new Refusal('not_found', { message: 'There is no such payment by hand.' })
  if (bill.status !== 'unallocated')
    throw new Refusal('state_conflict', { message: `This payment by hand is ${bill.status} already.` })
  return bill
}
