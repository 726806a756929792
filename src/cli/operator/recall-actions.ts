import { wholeNumber } from '@pesewa/values'
import { payoutIds } from '../../money/payouts/resources.ts'
import { recallIds } from '../../money/recalls/resources.ts'
import { listRecalls, type Returned, refuseRecall, returnRecall } from '../../money/recalls/returning.ts'
import type { ListedRecall, Recall } from '../../money/recalls/store.ts'
import { showId } from '../../platform/ids.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { inTransaction, withDatabase } from './command-database.ts'

export const list = ({ all = false }) =>
  withDatabase(async (db) => ({ recalls: (await listRecalls(db, all)).map(described) }))

export const returned = (id: string, { amount, transaction, ...decider }: Decider & Returned) =>
  inTransaction(async (tx) => ended(await returnRecall(tx, id, { amount, transaction }, decider)))

export const refused = (id: string, decider: Decider) =>
  inTransaction(async (tx) => ended(await refuseRecall(tx, id, decider)))

const ended = ({ id, status, currency, returned, ledgerReference }: Recall) => ({
  id: showId(recallIds, id),
  status,
  returned: { currency, value: wholeNumber(returned) },
  financialTransactionReference: ledgerReference,
})

const described = (recall: ListedRecall) => ({
  id: showId(recallIds, recall.id),
  spaceId: showId(spaceIds, recall.spaceId),
  environment: recall.environment,
  status: recall.status,
  payoutId: showId(payoutIds, recall.payoutId),
  providerId: recall.providerId,
  /** The provider's transaction id for the payout. */
  payoutTransaction: recall.payoutTransaction,
  payee: recall.payeeAccount,
  amount: { currency: recall.currency, value: wholeNumber(recall.amount) },
  returned: { currency: recall.currency, value: wholeNumber(recall.returned) },
  reason: recall.reason,
  note: recall.note,
  createTime: recall.createdAt,
})
