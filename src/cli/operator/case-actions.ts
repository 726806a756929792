import { type ListedCase, listCases, presentCaseMoney as moneyOf } from '../../ledger/accounts/cases.ts'
import { caseIds } from '../../ledger/accounts/resources.ts'
import { decideCase } from '../../money/recalls/contradicted.ts'
import { showId } from '../../platform/ids.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { inTransaction, withDatabase } from './command-database.ts'

export const list = ({ all = false }) =>
  withDatabase(async (db) => ({ cases: (await listCases(db, all)).map(describe) }))

export type CaseClosing = Decider & { account?: string }

export const close = (id: string, options: CaseClosing) =>
  inTransaction(async (tx) => {
    const { closedAt, closingReference, ...closed } = await decideCase(tx, id, options, options.account)
    return {
      id: showId(caseIds, id),
      closeTime: closedAt,
      ...moneyOf(closed),
      financialTransactionReference: closingReference,
    }
  })

const describe = (one: ListedCase) => ({
  id: showId(caseIds, one.id),
  spaceId: showId(spaceIds, one.spaceId),
  environment: one.environment,
  kind: one.kind,
  objectId: showOwner({ id: one.objectId, type: one.objectType }),
  ...moneyOf(one),
  openTime: one.openedAt,
  closeTime: one.closedAt,
  closedBy: one.closedBy,
  reason: one.reason,
  financialTransactionReference: one.closingReference,
})
