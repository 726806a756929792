import type { ChosenCard, RequestKey } from '@pesewa/connector-kit/simulator'
import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { collections, disbursements, type RequestTable, recordsOf } from './request-store.ts'

/** A request that a simulated rail carried out, or refused for `reason`, in the past. */
export type PastRequest = {
  kind: 'collection' | 'disbursement'
  request: RequestKey & { [field: string]: unknown }
  endedAt: Date
  /** MTN's name for the reason; null if the money was moved. */
  reason: string | null
  /** From `reserveTransactions`; null if no money was moved. */
  transaction: bigint | null
  card?: ChosenCard
}

/** Returns the numbers of `count` new transactions at the simulated rails, in ascending order. */
export async function reserveTransactions(tx: Tx, count: number): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(sql`
    select nextval('simulator_financial_transactions') as id from generate_series(1, ${count}::int)`)
  return rows.map(({ id }) => id)
}

/**
 * Stores requests of the past, so that the rails can be queried about them, list them in their statements and
 * refund them. They are kept as long as requests that are made now.
 */
export async function insertPastRequests(tx: Tx, requests: PastRequest[], now: Date): Promise<void> {
  for (const [kind, table] of Object.entries({ collection: collections, disbursement: disbursements })) {
    const rows = requests.filter((one) => one.kind === kind).map((one) => rowOf(one, now))
    if (rows.length > 0) await insertRows(tx, table, kind === 'collection', rows)
  }
}

const rowOf = ({ request, endedAt, reason, transaction, card }: PastRequest, createdAt: Date) => ({
  ...{ externalId: '', payerMessage: '', payeeNote: '', callbackUrl: null },
  ...request,
  ...(card && { cardScheme: card.scheme, cardLast4: card.last4, cardToken: card.token }),
  status: reason === null ? 'SUCCESSFUL' : 'FAILED',
  reason,
  financialTransactionId: transaction,
  movedAt: reason === null ? endedAt : null,
  endedAt,
  createdAt,
})

function insertRows(tx: Tx, { table, insertColumns }: RequestTable, hasCards: boolean, rows: object[]) {
  const columns = sql`${insertColumns}, status, reason, financial_transaction_id, moved_at, ended_at, created_at
    ${hasCards ? sql`, card_scheme, card_last4, card_token` : sql``}`
  // every space: rails know nothing about Spaces
  return tx.run(sql`
    insert into ${table} (${columns})
    select ${columns} from json_populate_recordset(null::${table}, ${recordsOf(rows)}::json)`)
}
