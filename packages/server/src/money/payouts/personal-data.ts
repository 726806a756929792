import { sql } from '../../platform/db/sql.ts'
import { showId } from '../../platform/ids.ts'
import { personOf } from '../../tenants/retention/person.ts'
import { hasAccount, inRecordPage, type PersonalRecords } from '../../tenants/retention/records.ts'
import { presentPayout } from './payouts.ts'
import { payoutIds } from './resources.ts'
import { erasePayees, selectPayoutRows } from './store.ts'

/** The payees of payouts. */
export const payeeRecords: PersonalRecords = {
  type: 'payout',
  retention: 'financial_records',
  async select(db, scope, which, page) {
    const ofPayee = inRecordPage(which, page, (person) =>
      hasAccount(scope, sql`payee_account`, sql`destination_type = 'momo'`, person),
    )
    const rows = await selectPayoutRows(db, scope, ofPayee)
    return rows.map((row) => {
      const { ownershipGraph: _, ...data } = presentPayout(scope, row)
      const person = personOf(row.destinationType, row.providerId, row.payeeAccount)
      return {
        key: row.id,
        id: showId(payoutIds, row.id),
        at: row.createdAt,
        person,
        isErased: person === null,
        obligation:
          row.status === 'pending' || row.status === 'processing'
            ? { reason: 'in_progress', until: null }
            : null,
        data,
      }
    })
  },
  erase: erasePayees,
}
