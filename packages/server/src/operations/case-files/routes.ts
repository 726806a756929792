import { paymentIds } from '../../money/payments/resources.ts'
import { sharePayments } from '../../money/payments/store.ts'
import { payoutIds } from '../../money/payouts/resources.ts'
import { sharePayouts } from '../../money/payouts/store.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import { shareRefunds } from '../../money/refunds/store.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import { type IdKind, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FindRow } from '../../platform/shared-reads.ts'
import { type CaseFileObject, openCaseFile } from './case-files.ts'
import { caseFile } from './shapes.ts'

type Row = Omit<CaseFileObject, 'shownId' | 'type'>

export function caseFileRoutes({ db }: Pick<Platform, 'db'>): Route[] {
  const route = (resource: string, type: CaseFileObject['type'], idKind: IdKind, find: FindRow<Row>): Route =>
    read({
      url: `/v1/${resource}/:id/case-file`,
      permission: `${resource}:read`,
      idKind,
      summary: `Retrieve the history and the next step of a ${type}`,
      result: caseFile,
      read: async ({ scope, id, may }) => {
        const row = await find(scope, id)
        return row && openCaseFile(db, scope, { ...row, type, shownId: showId(idKind, id) }, { may })
      },
    })
  return [
    route('payments', 'payment', paymentIds, sharePayments(db)),
    route('payouts', 'payout', payoutIds, sharePayouts(db)),
    route('refunds', 'refund', refundIds, shareRefunds(db)),
  ]
}
