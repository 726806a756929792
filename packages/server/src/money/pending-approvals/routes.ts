import type { Static } from 'typebox'
import { type Route, read } from '../../platform/http/commands/route.ts'
import type { IdKind } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import type { FindRow } from '../../platform/shared-reads.ts'
import { shareBatches } from '../payout-batches/store.ts'
import { batchIds, payoutIds } from '../payouts/resources.ts'
import { sharePayouts } from '../payouts/store.ts'
import { refundIds } from '../refunds/resources.ts'
import { shareRefunds } from '../refunds/store.ts'
import { detailsOfBatch, detailsOfPayout, detailsOfRefund } from './details.ts'
import { approvalDetails } from './shapes.ts'

/** Routes with the details that an approver of a payout, batch or refund needs. */
export function approvalRoutes({ db }: Pick<Platform, 'db'>): Route[] {
  const route = <Row>(
    resource: string,
    { noun, permission, idKind }: { noun: string; permission: string; idKind: IdKind },
    find: FindRow<Row>,
    detailsOf: (scope: Scope, row: Row) => Promise<Static<typeof approvalDetails>>,
  ): Route =>
    read({
      url: `/v1/${resource}/:id/approval`,
      permission,
      idKind,
      summary: `Retrieve the approval details of a ${noun}`,
      about:
        'Returns the requester, the reason, earlier payments to the payee, and the balance after the approval.',
      result: approvalDetails,
      read: async ({ scope, id, may }) => {
        const row = await find(scope, id)
        const details = row && (await detailsOf(scope, row))
        return details && (may('balances:read') ? details : { ...details, balances: [] })
      },
    })
  const payouts = { noun: 'payout', permission: 'payouts:approve', idKind: payoutIds }
  const batches = { noun: 'batch', permission: 'payouts:approve', idKind: batchIds }
  const refunds = { noun: 'refund', permission: 'refunds:approve', idKind: refundIds }
  return [
    route('payouts', payouts, sharePayouts(db), (scope, row) => detailsOfPayout(db, scope, row)),
    route('payout-batches', batches, shareBatches(db), (scope, row) => detailsOfBatch(db, scope, row)),
    route('refunds', refunds, shareRefunds(db), (scope, row) => detailsOfRefund(db, scope, row)),
  ]
}
