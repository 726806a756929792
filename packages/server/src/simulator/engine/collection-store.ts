import type {
  ChosenCard,
  Period,
  PlannedOutcome,
  RequestKey,
  StoredCollection,
} from '@pesewa/connector-kit/simulator'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { findRequest, insertOutcomes, type RequestTable } from './request-store.ts'

// every space: rails know nothing about Spaces
const columns = sql`
  k.provider_id, k.protocol, k.reference, k.payer, k.amount, k.amount_minor, k.currency, k.external_id,
  k.payer_message, k.payee_note, k.callback_url, k.return_url, k.status, k.reason, k.financial_transaction_id,
  k.card_scheme, k.card_last4, k.card_token, k.asks_until, k.notice_url, k.moved_at`

export const collections: RequestTable = {
  kind: 'collection',
  table: sql`simulator_collections`,
  insertColumns: sql`
    provider_id, protocol, reference, payer, amount, amount_minor, currency, external_id, payer_message, payee_note,
    callback_url, return_url, asks_until, notice_url`,
  columns,
  alsoSet: sql`asks_until = null,`,
}

export const findCollection = (db: Reader, key: RequestKey): Promise<StoredCollection | undefined> =>
  findRequest(db, collections, key)

/** Returns a collection by the rail's transaction id. */
export const findCollectionByTransaction = (db: Reader, providerId: string, financialTransactionId: bigint) =>
  // every space: rails know nothing about Spaces
  db.one<StoredCollection>(sql`
    select ${columns} from simulator_collections k
    where k.provider_id = ${providerId} and k.financial_transaction_id = ${financialTransactionId}`)

export async function countPrompts(db: Reader, msisdn: string, now: Date): Promise<number> {
  // every space: rails know nothing about Spaces
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from simulator_collections
    where payer = ${msisdn} and asks_until > ${now} and return_url is null`)
  return counted?.count ?? 0
}

/**
 * Replaces the planned outcomes with the payer's answer. Returns `false` if the prompt or page is no longer
 * open.
 */
export async function replanPrompt(
  tx: Tx,
  reference: string,
  at: Date,
  outcomes: PlannedOutcome[],
  card?: ChosenCard,
): Promise<boolean> {
  // every space: rails know nothing about Spaces
  const answered = await tx.query<RequestKey>(sql`
    with answered as (
      update simulator_collections set asks_until = null, card_scheme = ${card?.scheme ?? null},
        card_last4 = ${card?.last4 ?? null}, card_token = ${card?.token ?? null}
      where reference = ${reference} and asks_until > ${at}
      returning provider_id, reference
    ), dropped as (
      delete from simulator_outcomes o using answered a
      where o.provider_id = a.provider_id and o.reference = a.reference
    )
    select provider_id, reference from answered`)
  const replanned = answered.map((request) => ({ request, at, outcomes }))
  if (answered.length > 0) await tx.run(insertOutcomes('collection', replanned))
  return answered.length > 0
}

/** Returns successful collections by the time at which the money moved, oldest first. */
export const selectPaid = (
  db: Reader,
  providerId: string,
  { from, to }: Period,
  { offset, limit }: { offset: number; limit: number },
) =>
  // every space: rails know nothing about Spaces
  db.query<StoredCollection & { movedAt: Date }>(sql`
    select ${columns} from simulator_collections k
    where k.provider_id = ${providerId} and k.moved_at >= ${from} and k.moved_at < ${to}
    order by k.moved_at, k.financial_transaction_id offset ${offset} limit ${limit}`)
