import type { NewRequest, RequestKind, SimulatorStore } from '@pesewa/connector-kit/simulator'
import { createBatches } from '../../platform/batches.ts'
import type { Database } from '../../platform/db/database.ts'
import { statementOf } from '../statements/statements.ts'
import { findBillUrls, upsertBillUrls } from './bill-url-store.ts'
import { insertCallbacks } from './callback-store.ts'
import * as collections from './collection-store.ts'
import * as disbursements from './disbursement-store.ts'
import { findMode } from './mode-store.ts'
import { insertRequests, type RequestTable } from './request-store.ts'

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
    collection: batchesOf(collections.collections),
    disbursement: batchesOf(disbursements.disbursements),
  }
  return {
    add: (kind, request) => batches[kind].submit('', request),
    findCollection: (key) => collections.findCollection(db, key),
    findCollectionByTransaction: (...named) => collections.findCollectionByTransaction(db, ...named),
    findDisbursement: (key) => disbursements.findDisbursement(db, key),
    findDisbursementByTransaction: (...named) => disbursements.findDisbursementByTransaction(db, ...named),
    findRefund: (key) => disbursements.findRefund(db, key),
    listRefundsOf: (collection) => disbursements.selectRefundsOf(db, collection),
    findRefunded: (collection) => disbursements.findRefunded(db, collection),
    listPaid: (...asked) => collections.selectPaid(db, ...asked),
    answer: (...given) => db.transaction((tx) => collections.replanPrompt(tx, ...given)),
    modeOf: (msisdn) => findMode(db, msisdn),
    countPrompts: (...asked) => collections.countPrompts(db, ...asked),
    addCallbacks: (callbacks) => db.transaction((tx) => insertCallbacks(tx, callbacks)),
    findBillUrls: (providerId) => findBillUrls(db, providerId),
    registerBillUrls: (...given) => db.transaction(async (tx) => void (await upsertBillUrls(tx, ...given))),
    statementOf: (...asked) => statementOf(db, ...asked),
  }
}
