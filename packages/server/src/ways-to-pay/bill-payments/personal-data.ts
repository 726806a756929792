import { wholeNumber } from '@pesewa/values'
import { paymentIds } from '../../money/payments/resources.ts'
import { showId } from '../../platform/ids.ts'
import { erased, personOf } from '../../tenants/retention/person.ts'
import { inRecordPage, type PersonalRecords } from '../../tenants/retention/records.ts'
import { eraseBillPayers, isBillOf, type ReceivedBill, selectReceivedBills } from './store.ts'

/** The payers of manual payments that a Space has received. */
export const billRecords: PersonalRecords = {
  type: 'manual_payment',
  retention: 'financial_records',
  async select(db, scope, which, page) {
    const ofPayer = inRecordPage(which, page, ({ phoneNumber }) => isBillOf(scope, phoneNumber))
    const rows = await selectReceivedBills(db, scope, ofPayer)
    return rows.map((row) => ({
      key: row.id,
      id: row.paymentId === null ? row.transaction : showId(paymentIds, row.paymentId),
      at: row.receivedAt,
      person: personOf('momo', '', row.payerAccount),
      isErased: row.accountReference === erased,
      obligation: row.status === 'unallocated' ? { reason: 'in_progress', until: null } : null,
      data: dataOf(row),
    }))
  },
  erase: eraseBillPayers,
}

const dataOf = (row: ReceivedBill) => ({
  transaction: row.transaction,
  providerId: row.providerId,
  amount: { currency: row.currency, value: wholeNumber(row.amount) },
  accountReference: row.accountReference,
  phoneNumber: row.payerAccount ?? row.payerMask,
  status: row.status,
  payTime: row.paidAt.toISOString(),
})
