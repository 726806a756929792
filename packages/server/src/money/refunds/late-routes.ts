import { wholeNumber } from '@pesewa/values'
import { shownMoney } from '../../countries/shapes.ts'
import { caseIds } from '../../ledger/accounts/resources.ts'
import { command, type Route } from '../../platform/http/commands/route.ts'
import { object, ownId, shownText, withDescription } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { refundLatePayment } from './late-payments.ts'
import type { RefundParts } from './refunds.ts'
import { refundIds } from './resources.ts'

type LateParts = Omit<RefundParts, 'queues' | 'connectors'> & {
  rails(): Promise<Pick<RefundParts, 'connectors'>>
}

/** The route for operators to refund money that arrived after its payment had failed. */
export const lateRefundRoutes = (parts: LateParts): Route[] => [
  command({
    url: '/v1/installation/cases/:id/return',
    idKind: caseIds,
    permission: 'installation:write',
    summary: 'Refund late money of any Space',
    about: 'For money that arrived after its payment had failed.',
    reasons: ['state_conflict', 'refund_unsupported'],
    needsStepUp: true,
    result: object(
      {
        id: ownId(refundIds),
        status: shownText('Status, as in `/v1/refunds`.', 'pending'),
        amount: withDescription(shownMoney, 'Amount returned to the payer.'),
      },
      { title: 'LateRefund' },
    ),
    body: object({ reason: reasonText }),
    example: { reason: 'Paid twice' },
    write: async (tx, call) => {
      // A node that runs jobs sends the instruction.
      const queues = { admit: <T>(_tx: unknown, instruction: T): T => instruction }
      const { seals, settings, rails } = parts
      const waiting = { seals, settings, connectors: (await rails()).connectors, queues }
      const decider = await deciderOf(tx, call, call.body.reason)
      const refund = await refundLatePayment(tx, waiting, { id: call.id, userId: null }, decider)
      const { id, status, amount, currency } = refund
      return { id: showId(refundIds, id), status, amount: { currency, value: wholeNumber(amount) } }
    },
  }),
]
