import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

/** A transaction at a provider. */
export type StatementMovement = {
  movedAt: Date
  reference: string
  externalId: string
  type: 'collection' | 'disbursement'
  amountMinor: bigint
  currency: string
  /** Account of the payer or payee. Empty for a card. */
  account: string
  status: 'SUCCESSFUL'
  financialTransactionId: bigint
}

/** Returns transactions from `from` (inclusive) to `to` (exclusive), oldest first. */
export function selectMovements(
  db: Reader,
  providerId: string,
  from: Date,
  to: Date,
  limit: number,
): Promise<StatementMovement[]> {
  // every space: rails know nothing about Spaces
  return db.query<StatementMovement>(sql`
    select moved_at, reference, external_id, 'collection' as type, amount_minor, currency, payer as account,
      status, financial_transaction_id
    from simulator_collections
    where provider_id = ${providerId} and moved_at >= ${from} and moved_at < ${to}
    union all
    select moved_at, reference, external_id, 'disbursement', amount_minor, currency, payee,
      status, financial_transaction_id
    from simulator_disbursements
    where provider_id = ${providerId} and moved_at >= ${from} and moved_at < ${to}
    order by moved_at, financial_transaction_id limit ${limit}`)
}
