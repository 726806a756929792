import type { Reader, Tx } from '../../platform/db/database.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import { type Book, type Settled, settleDue } from './outcome-store.ts'
import type { Asked, Ending } from './store.ts'

/** A disbursement as it was asked for. */
export type AskedDisbursement = Omit<Asked, 'payer' | 'returnUrl'> & {
  /** A phone number without `+`, an account number, a wallet id. */
  payee: string
}

/** A disbursement as the rail knows it. */
export type StoredDisbursement = AskedDisbursement & Ending

export const disbursements: Book = {
  kind: 'disbursement',
  table: sql`simulator_disbursements`,
  written: sql`
    provider_id, protocol, reference, payee, amount, amount_minor, currency, external_id, payer_message, payee_note,
    callback_url`,
  columns: sql`
    k.provider_id, k.protocol, k.reference, k.payee, k.amount, k.amount_minor, k.currency, k.external_id,
    k.payer_message, k.payee_note, k.callback_url, k.status, k.reason, k.financial_transaction_id`,
  also: nothing,
}

export function findDisbursement(db: Reader, providerId: string, reference: string) {
  // every space: the simulator is the outside world
  return db.one<StoredDisbursement>(sql`
    select ${disbursements.columns} from simulator_disbursements k
    where k.provider_id = ${providerId} and k.reference = ${reference}`)
}

export const settleDisbursements = (tx: Tx, now: Date): Promise<Settled<StoredDisbursement>[]> =>
  settleDue(tx, disbursements, now)
