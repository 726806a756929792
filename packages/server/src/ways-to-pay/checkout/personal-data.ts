import { wholeNumber } from '@pesewa/values'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { showId } from '../../platform/ids.ts'
import { personOf } from '../../tenants/retention/person.ts'
import { inRecordPage, type PersonalRecords, type RecordSelection } from '../../tenants/retention/records.ts'
import { sessionIds } from './resources.ts'
import { eraseTypedReferences, isPaidFrom, selectPaidSessions } from './store.ts'

/**
 * The references that payers typed on the pages of payment links. The other texts of a session are the
 * merchant's.
 */
export const sessionRecords: PersonalRecords = {
  type: 'checkout_session',
  retention: 'contact_details',
  async select(db, scope, which, page) {
    const ofPayer = inRecordPage(which, page, (person) => isPaidFrom(scope, person.phoneNumber))
    const rows = await selectPaidSessions(db, scope, sql`${among(which)} ${ofPayer}`)
    return rows.map((row) => ({
      key: row.id,
      id: showId(sessionIds, row.id),
      at: row.createdAt,
      person: personOf('momo', '', row.payerAccount),
      isErased: row.paymentLinkId === null || row.reference === null,
      obligation: row.status === 'pending' ? { reason: 'in_progress', until: null } : null,
      data: {
        status: row.status,
        name: row.name,
        amount: { currency: row.currency, value: wholeNumber(row.amount) },
        orderNumber: row.orderNumber,
        reference: row.reference,
        createTime: row.createdAt.toISOString(),
        metadata: row.metadata,
      },
    }))
  },
  erase: eraseTypedReferences,
}

/** An export shows all sessions that a person paid. */
const among = (which: RecordSelection): Sql =>
  'before' in which ? sql`and payment_link_id is not null` : nothing
