import { wholeNumber } from '@pesewa/values'
import { showId } from '../../platform/ids.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { assignBill, closeBill, listBills } from '../../ways-to-pay/bill-payments/assigning.ts'
import type { BillKey, StoredBill } from '../../ways-to-pay/bill-payments/store.ts'
import { inTransaction, withDatabase } from './command-database.ts'
import { openRecordingParts } from './recording-parts.ts'

export const list = (isAll: boolean) =>
  withDatabase(async (db) => ({ bills: (await listBills(db, isAll)).map(described) }))

export const assign = (
  connection: string,
  transaction: string,
  { code, test, ...decider }: Decider & { code: string; test?: boolean },
) =>
  inTransaction(async (tx) => ({
    paymentId: await assignBill(
      tx,
      openRecordingParts(),
      keyOf(connection, transaction, test),
      code,
      decider,
    ),
  }))

export const close = (
  connection: string,
  transaction: string,
  { test, ...decider }: Decider & { test?: boolean },
) =>
  inTransaction(async (tx) => {
    await closeBill(tx, keyOf(connection, transaction, test), decider)
    return { connection, transaction, status: 'closed' }
  })

const keyOf = (connection: string, transaction: string, test = false): BillKey => ({
  environment: test ? 'test' : 'live',
  connection,
  transaction,
})

const reasons = {
  reference: 'nothing is payable under this reference',
  amount: 'the amount does not match',
  payer: 'the payer or provider does not match',
  order_paid: 'the order was already paid another way',
} as const satisfies Record<NonNullable<StoredBill['reason']>, string>

const described = (bill: StoredBill) => ({
  environment: bill.environment,
  connection: bill.connection,
  transaction: bill.transaction,
  status: bill.status,
  reason: bill.reason && reasons[bill.reason],
  amount: { currency: bill.currency, value: wholeNumber(bill.amount) },
  accountReference: bill.accountReference,
  spaceId: bill.spaceId && showId(spaceIds, bill.spaceId),
  payTime: bill.paidAt,
  closedBy: bill.closedBy,
  closingReason: bill.closingReason,
})
