import { paymentIds } from '../../money/payments/resources.ts'
import { sharePayments } from '../../money/payments/store.ts'
import { payoutIds } from '../../money/payouts/resources.ts'
import { sharePayouts } from '../../money/payouts/store.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import { shareRefunds } from '../../money/refunds/store.ts'
import { noBody } from '../../platform/http/commands/resource.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import { type IdKind, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { FindRow } from '../../platform/shared-reads.ts'
import { askRail } from '../../rails/instructions/questions.ts'
import { type CaseFileObject, openCaseFile } from './case-files.ts'
import { caseFile, question } from './shapes.ts'
import { exists } from './store.ts'

type Row = Omit<CaseFileObject, 'shownId' | 'type'>

export function caseFileRoutes({ db }: Pick<Platform, 'db'>): Route[] {
  const reading = (
    resource: string,
    type: CaseFileObject['type'],
    idKind: IdKind,
    find: FindRow<Row>,
  ): Route =>
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
    reading('payments', 'payment', paymentIds, sharePayments(db)),
    reading('payouts', 'payout', payoutIds, sharePayouts(db)),
    reading('refunds', 'refund', refundIds, shareRefunds(db)),
    asking('payments', 'payment', paymentIds),
    asking('payouts', 'payout', payoutIds),
    asking('refunds', 'refund', refundIds),
  ]
}

const asking = (resource: string, type: CaseFileObject['type'], idKind: IdKind): Route =>
  command({
    ...noBody,
    url: `/v1/${resource}/:id/ask-provider`,
    permission: `${resource}:write`,
    idKind,
    summary: `Ask the provider about a ${type}`,
    about: `Queries the provider for the outcome now instead of at the next scheduled time, at most once every 10 seconds for each ${type}. The answer appears in the ${type}’s case file; only the outcome changes the ${type}.`,
    reasons: ['state_conflict'],
    result: question,
    write: async (tx, { scope, id, now }) => {
      if (!(await exists(tx, scope, type, id))) throw new Refusal('not_found')
      await askRail(tx, scope, { ownerType: type, id }, now)
      return { askedTime: now.toISOString(), answer: null, answerTime: null }
    },
  })
