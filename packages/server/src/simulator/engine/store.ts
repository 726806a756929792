import type {
  BillUrls,
  HandsetMode,
  NewRequest,
  RequestKey,
  RequestKind,
  SimulatorStore,
  StoredCollection,
  StoredDisbursement,
} from '@pesewa/connector-kit/simulator'
import { createBatches } from '../../platform/batches.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { statementOf } from '../statements/statements.ts'
import { insertCallbacks } from './callback-store.ts'
import {
  collections,
  disbursements,
  insertOutcomes,
  insertRequests,
  type RequestTable,
} from './request-store.ts'

/** Returns the data of the simulated rails in PostgreSQL. Concurrent new requests are stored in one batch. */
export function openStore(db: Database): SimulatorStore {
  const batchesOf = (table: RequestTable) =>
    createBatches<NewRequest, boolean>({
      run: (requests) =>
        db.transaction(async (tx) =>
          (await insertRequests(tx, table, requests)).map((answer) => ({ answer })),
        ),
    })
  const batches: Record<RequestKind, ReturnType<typeof batchesOf>> = {
    collection: batchesOf(collections),
    disbursement: batchesOf(disbursements),
  }
  const findDisbursement = ({ providerId, reference }: RequestKey) =>
    // every space: rails know nothing about Spaces
    db.one<StoredDisbursement>(sql`
      select ${disbursements.columns} from simulator_disbursements k
      where k.provider_id = ${providerId} and k.reference = ${reference}`)
  return {
    add: (kind, request) => batches[kind].submit('', request),
    findCollection: ({ providerId, reference }) =>
      // every space: rails know nothing about Spaces
      db.one<StoredCollection>(sql`
        select ${collections.columns} from simulator_collections k
        where k.provider_id = ${providerId} and k.reference = ${reference}`),
    findCollectionByTransaction: (providerId, transaction) =>
      // every space: rails know nothing about Spaces
      db.one<StoredCollection>(sql`
        select ${collections.columns} from simulator_collections k
        where k.provider_id = ${providerId} and k.financial_transaction_id = ${transaction}`),
    async findDisbursement(key) {
      const stored = await findDisbursement(key)
      return stored?.refundOf === null ? stored : undefined
    },
    async findRefund(key) {
      const stored = await findDisbursement(key)
      return stored?.refundOf == null ? undefined : stored
    },
    findDisbursementByTransaction: (providerId, transaction) =>
      // every space: rails know nothing about Spaces
      db.one<RequestKey>(sql`
        select provider_id, reference from simulator_disbursements
        where provider_id = ${providerId} and financial_transaction_id = ${transaction}`),
    listRefundsOf: ({ providerId, reference }) =>
      // every space: rails know nothing about Spaces
      db.query<StoredDisbursement>(sql`
        select ${disbursements.columns} from simulator_disbursements k
        where k.provider_id = ${providerId} and k.refund_of = ${reference} order by k.created_at limit 100`),
    findRefunded: ({ providerId, reference }) =>
      // every space: rails know nothing about Spaces
      db.only<{ refundedMinor: bigint; isPending: boolean }>(sql`
        select coalesce(sum(amount_minor) filter (where status = 'SUCCESSFUL'), 0)::bigint as refunded_minor,
          coalesce(bool_or(status = 'PENDING'), false) as is_pending
        from simulator_disbursements where provider_id = ${providerId} and refund_of = ${reference}`),
    listPaid: (providerId, { from, to }, { offset, limit }) =>
      // every space: rails know nothing about Spaces
      db.query<StoredCollection & { movedAt: Date }>(sql`
        select ${collections.columns} from simulator_collections k
        where k.provider_id = ${providerId} and k.moved_at >= ${from} and k.moved_at < ${to}
        order by k.moved_at, k.financial_transaction_id offset ${offset} limit ${limit}`),
    answer: (reference, at, outcomes, card) =>
      db.transaction(async (tx) => {
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
      }),
    async modeOf(msisdn) {
      // every space: rails know nothing about Spaces
      const handset = await db.one<{ mode: HandsetMode }>(sql`
        select mode from simulator_handsets where msisdn = ${msisdn}`)
      return handset?.mode ?? 'approve'
    },
    async countPrompts(msisdn, now) {
      // every space: rails know nothing about Spaces
      const { count } = await db.only<{ count: number }>(sql`
        select count(*)::int as count from simulator_collections
        where payer = ${msisdn} and asks_until > ${now} and return_url is null`)
      return count
    },
    addCallbacks: (callbacks) => db.transaction((tx) => insertCallbacks(tx, callbacks)),
    findBillUrls: (providerId) =>
      // every space: rails know nothing about Spaces
      db.one<BillUrls>(sql`
        select validation_url, confirmation_url from simulator_bill_addresses
        where provider_id = ${providerId}`),
    async registerBillUrls(providerId, { validationUrl, confirmationUrl }) {
      await db.transaction((tx) =>
        // every space: rails know nothing about Spaces
        tx.run(sql`
          insert into simulator_bill_addresses (provider_id, validation_url, confirmation_url)
          values (${providerId}, ${validationUrl}, ${confirmationUrl})
          on conflict (provider_id) do update
          set validation_url = excluded.validation_url, confirmation_url = excluded.confirmation_url`),
      )
    },
    statementOf: (...asked) => statementOf(db, ...asked),
  }
}
