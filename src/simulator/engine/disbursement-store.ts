import type { Reader } from '../../platform/db/database.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import type { CollectionRequest, RequestState } from './collection-store.ts'
import { findRequest, type RequestKey, type RequestTable } from './request-store.ts'

/** A request to disburse, or to give back what was collected. */
export type DisbursementRequest = Omit<CollectionRequest, 'payer' | 'returnUrl'> & {
  /** A phone number without `+`, an account number, a wallet id. */
  payee: string
  /** The reference of the collection that is given back; none of what is paid out. */
  refundOf: string | null
}

/** A disbursement as the rail knows it. */
export type StoredDisbursement = DisbursementRequest & RequestState

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

/** What is paid out under a reference. */
export const findDisbursement = async (db: Reader, key: RequestKey) => {
  const stored = await findRequest<StoredDisbursement>(db, disbursements, key)
  return stored?.refundOf === null ? stored : undefined
}

/** What is given back under a reference. */
export const findRefund = async (db: Reader, key: RequestKey) => {
  const stored = await findRequest<StoredDisbursement>(db, disbursements, key)
  return stored?.refundOf == null ? undefined : stored
}

/** What went out by one of the rail's transactions. */
export const findPaidOutBy = (db: Reader, providerId: string, financialTransactionId: bigint) =>
  // every space: the simulator is the outside world
  db.one<RequestKey>(sql`
    select provider_id, reference from simulator_disbursements
    where provider_id = ${providerId} and financial_transaction_id = ${financialTransactionId}`)

/** What was given back of a collection, in minor units, and whether some of it is on its way. */
export async function findRefunded(db: Reader, { providerId, reference }: RequestKey) {
  // every space: the simulator is the outside world
  return db.only<{ refundedMinor: bigint; isPending: boolean }>(sql`
    select coalesce(sum(amount_minor) filter (where status = 'SUCCESSFUL'), 0)::bigint as refunded_minor,
      coalesce(bool_or(status = 'PENDING'), false) as is_pending
    from simulator_disbursements where provider_id = ${providerId} and refund_of = ${reference}`)
}
/** What was given back of a collection, at most a hundred. */
export const selectRefundsOf = (db: Reader, { providerId, reference }: RequestKey) =>
  // every space: the simulator is the outside world
  db.query<StoredDisbursement>(sql`
    select ${disbursements.columns} from simulator_disbursements k
    where k.provider_id = ${providerId} and k.refund_of = ${reference} order by k.created_at limit 100`)
