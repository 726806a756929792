import type { RequestKey, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import type { Reader } from '../../platform/db/database.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import { findRequest, type RequestTable } from './request-store.ts'

export const disbursements: RequestTable = {
  kind: 'disbursement',
  table: sql`simulator_disbursements`,
  insertColumns: sql`
    provider_id, protocol, reference, payee, amount, amount_minor, currency, external_id, payer_message, payee_note,
    callback_url, refund_of`,
  columns: sql`
    k.provider_id, k.protocol, k.reference, k.payee, k.amount, k.amount_minor, k.currency, k.external_id,
    k.payer_message, k.payee_note, k.callback_url, k.refund_of, k.status, k.reason, k.financial_transaction_id`,
  alsoSet: nothing,
}

/** Returns the payout with the given reference, or `undefined` if there is none. */
export const findDisbursement = async (db: Reader, key: RequestKey) => {
  const stored = await findRequest<StoredDisbursement>(db, disbursements, key)
  return stored?.refundOf === null ? stored : undefined
}

/** Returns the refund with the given reference, or `undefined` if there is none. */
export const findRefund = async (db: Reader, key: RequestKey) => {
  const stored = await findRequest<StoredDisbursement>(db, disbursements, key)
  return stored?.refundOf == null ? undefined : stored
}

/** Returns the payout or refund with the given transaction id of the rail. */
export const findDisbursementByTransaction = (
  db: Reader,
  providerId: string,
  financialTransactionId: bigint,
) =>
  // every space: rails know nothing about Spaces
  db.one<RequestKey>(sql`
    select provider_id, reference from simulator_disbursements
    where provider_id = ${providerId} and financial_transaction_id = ${financialTransactionId}`)

/**
 * Returns the amount of a collection that has been refunded, in minor units, and whether another refund is
 * pending.
 */
export async function findRefunded(db: Reader, { providerId, reference }: RequestKey) {
  // every space: rails know nothing about Spaces
  return db.only<{ refundedMinor: bigint; isPending: boolean }>(sql`
    select coalesce(sum(amount_minor) filter (where status = 'SUCCESSFUL'), 0)::bigint as refunded_minor,
      coalesce(bool_or(status = 'PENDING'), false) as is_pending
    from simulator_disbursements where provider_id = ${providerId} and refund_of = ${reference}`)
}
/** Returns the refunds of a collection, at most a hundred. */
export const selectRefundsOf = (db: Reader, { providerId, reference }: RequestKey) =>
  // every space: rails know nothing about Spaces
  db.query<StoredDisbursement>(sql`
    select ${disbursements.columns} from simulator_disbursements k
    where k.provider_id = ${providerId} and k.refund_of = ${reference} order by k.created_at limit 100`)
