import type { RailOutcome } from '@pesewa/connector-kit'
import type { Tx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { tooManyRequests } from '../../platform/limits/rate-limits.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { queryNow } from './instructions.ts'
import type { OwnerType } from './owner-types.ts'
import { type Answer, isOpen } from './states.ts'
import { lockInstructions, markAsked, selectQuestion } from './store.ts'

const gapMs = durationMs('10s') // limit: time between two questions about a payment, payout or refund

/**
 * Makes the next query for the outcome of a payment, payout or refund due now, because a member requested it. The
 * question changes no outcome: only the rail's answer does, as with every query. The object must exist.
 *
 * @throws Refusal `state_conflict` if it has not been sent or has an outcome; `too_many_requests` if a member
 * requested one within the last ten seconds
 */
export async function askRail(
  tx: Tx,
  scope: Scope,
  { ownerType, id }: { ownerType: OwnerType; id: string },
  at: Date,
): Promise<void> {
  const [instruction] = await lockInstructions(tx, [{ scope, id }])
  const { notSent, ended, tooSoon } = messages[ownerType]
  if (!instruction || instruction.state === 'created') throw conflict(notSent)
  if (!isOpen(instruction.state)) throw conflict(ended)
  const asked = await selectQuestion(tx, scope, id)
  const agoMs = asked ? at.getTime() - asked.askedAt.getTime() : gapMs
  if (agoMs < gapMs) throw tooManyRequests({ name: 'question-limit', waitMs: gapMs - agoMs }, tooSoon)
  await markAsked(tx, scope, id, at)
  await queryNow(tx, [{ scope, id, at }])
}

const conflict = (message: string) => new Refusal('state_conflict', { message })

const messages = {
  payment: {
    notSent: 'This payment has not been sent yet.',
    ended: 'The outcome of this payment is already known.',
    tooSoon:
      'The provider was asked about this payment less than 10 seconds ago. Wait a few seconds and ask again.',
  },
  payout: {
    notSent: 'This payout has not been sent yet.',
    ended: 'The outcome of this payout is already known.',
    tooSoon:
      'The provider was asked about this payout less than 10 seconds ago. Wait a few seconds and ask again.',
  },
  refund: {
    notSent: 'This refund has not been sent yet.',
    ended: 'The outcome of this refund is already known.',
    tooSoon:
      'The provider was asked about this refund less than 10 seconds ago. Wait a few seconds and ask again.',
  },
} as const satisfies Record<OwnerType, object>

/** Returns the answer for the result of a query that left the outcome open. */
export const answerOf = ({ outcome }: RailOutcome): Answer =>
  outcome === 'pending' ? 'pending' : outcome === 'asked' ? 'later' : 'unclear'
