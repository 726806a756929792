import { wholeNumber } from '@pesewa/values'
import { uuids } from '../../platform/db/arrays.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import { firstId, showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { personOf } from '../../tenants/retention/person.ts'
import {
  hasAccount,
  type PersonalRecords,
  type RecordPage,
  type RecordSelection,
} from '../../tenants/retention/records.ts'
import { shownPayee } from '../payouts/payouts.ts'
import { batchIds } from '../payouts/resources.ts'
import { eraseRows, selectDatedRows } from './store.ts'

/** The payees of payout batches, row by row. The key of a row consists of its batch and its number. */
export const batchRowRecords: PersonalRecords = {
  type: 'payout_batch',
  retention: 'financial_records',
  async select(db, scope, which, page) {
    const rows = await selectDatedRows(db, scope, conditionOf(scope, which, page))
    return rows.map(
      ({ batchId, number, amount, currency, name, reference, metadata, status, createdAt, ...row }) => ({
        key: `${batchId}:${number}`,
        id: showId(batchIds, batchId),
        at: createdAt,
        person: personOf(row.destinationType, row.providerId, row.payeeAccount),
        isErased: row.payeeAccount === '' && name === null,
        obligation:
          status === 'pending' || status === 'processing' ? { reason: 'in_progress', until: null } : null,
        data: {
          row: number,
          amount: { currency, value: wholeNumber(amount) },
          destination: shownPayee(row),
          name,
          reference,
          metadata,
        },
      }),
    )
  },
  erase: (tx, scope, keys) => eraseRows(tx, scope, keys.map(placeOf)),
}

function conditionOf(scope: Scope, which: RecordSelection, { after, take }: RecordPage) {
  const place = after === undefined ? undefined : placeOf(after)
  return sql`
    and ${
      'before' in which
        ? sql`row.batch_id < ${firstId(which.before)}`
        : 'keys' in which
          ? sql`(row.batch_id || ':' || row.number) = any(${which.keys}::text[]) and row.batch_id = any(${uuids(which.keys.map((key) => placeOf(key).batchId))}::uuid[])`
          : hasAccount(scope, sql`row.payee_account`, sql`row.destination_type = 'momo'`, which.person)
    }
    ${place ? sql`and (row.batch_id, row.number) > (${place.batchId}, ${place.number})` : nothing}
    order by row.batch_id, row.number limit ${take}`
}

function placeOf(key: string) {
  const [batchId = '', number = ''] = key.split(':')
  return { batchId, number: Number(number) }
}
