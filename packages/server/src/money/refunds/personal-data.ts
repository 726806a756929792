import { sql } from '../../platform/db/sql.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { accountFields } from '../../rails/connections/account.ts'
import { erased, personOf } from '../../tenants/retention/person.ts'
import { hasAccount, inRecordPage, type PersonalRecords } from '../../tenants/retention/records.ts'
import { presentRefund } from './refunds.ts'
import { refundIds } from './resources.ts'
import { eraseRefundedPayers, type Refund, selectRefundRows } from './store.ts'

/** The payers to whom refunds went. */
export const refundRecords: PersonalRecords = {
  type: 'refund',
  retention: 'financial_records',
  async select(db, scope, which, page) {
    const ofPayer = inRecordPage(which, page, (person) =>
      hasAccount(scope, sql`payer_account`, sql`destination_type = 'momo'`, person),
    )
    const rows = await selectRefundRows(db, scope, ofPayer)
    return rows.map((row) => ({
      key: row.id,
      id: showId(refundIds, row.id),
      at: row.createdAt,
      person: personOf(row.destinationType, row.providerId, row.payerAccount),
      isErased: isErased(row),
      obligation:
        row.status === 'pending' || row.status === 'processing'
          ? { reason: 'in_progress', until: null }
          : null,
      data: dataOf(scope, row),
    }))
  },
  erase: eraseRefundedPayers,
}

const isErased = ({ payerAccount, cardScheme, note, payerMessage }: Refund) =>
  (payerAccount === null || payerAccount === erased) &&
  cardScheme === null &&
  note === null &&
  payerMessage === null

function dataOf(scope: Scope, refund: Refund): object {
  const { ownershipGraph: _, destination, ...shown } = presentRefund(scope, refund)
  const { destinationType, payerAccount } = refund
  const account =
    destinationType === 'card' || !payerAccount ? {} : { [accountFields[destinationType]]: payerAccount }
  return { ...shown, destination: { ...destination, ...account } }
}
