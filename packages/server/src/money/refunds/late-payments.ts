import { must, wholeNumber } from '@pesewa/values'
import { selectCase } from '../../ledger/accounts/case-store.ts'
import { closeCase } from '../../ledger/accounts/cases.ts'
import { onlyAnswer } from '../../platform/batches.ts'
import { readNow } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { writeRefunded } from '../payments/refundable.ts'
import { paymentIds } from '../payments/resources.ts'
import { lockPayments } from '../payments/store.ts'
import { createRefunds } from './new-refund.ts'
import type { RefundParts } from './refunds.ts'
import type { Refund } from './store.ts'

/**
 * Refunds money that arrived after its payment had failed. In one transaction, this closes the case in favour
 * of the payment's account and refunds the full amount from that account. No fee is charged.
 *
 * @param of the Space that the case must belong to; omitted if the operator decides
 * @param userId null if the operator decides
 * @throws Refusal `not_found`; `state_conflict` if the case is closed or of another kind; `refund_unsupported`
 */
export async function refundLatePayment(
  tx: Tx,
  parts: RefundParts,
  { id, of, userId }: { id: string; of?: Scope; userId: string | null },
  decider: Decider,
): Promise<Scoped<Refund>> {
  const late = await selectCase(tx, id)
  if (!late || (of && (late.spaceId !== of.spaceId || late.environment !== of.environment)))
    throw new Refusal('not_found', { message: 'There is no such case.' })
  if (late.kind !== 'success_after_failure' || late.objectType !== 'payment')
    throw new Refusal('state_conflict', { message: 'This case is not about a late payment.' })
  const scope = { spaceId: late.spaceId, environment: late.environment }
  // The payment is locked before the accounts, as for every refund.
  const [payment] = await lockPayments(tx, [{ scope, id: late.objectId }])
  const { status, financialAccountId, currency, railReference } = must(payment, 'payment of a case')
  if (status !== 'failed') throw new Refusal('state_conflict', { message: 'This payment has not failed.' })
  if (currency !== late.currency)
    throw new Refusal('state_conflict', {
      message: `The money arrived in ${late.currency} instead of ${currency}.`,
    })
  const { amount } = await closeCase(tx, id, decider, { accountId: financialAccountId, returned: 0n })
  const at = await readNow(tx, scope)
  writeRefunded(tx, [{ ...must(payment, 'payment of a case'), lateReceived: amount, updatedAt: at }])
  return onlyAnswer(
    await createRefunds(tx, parts, [
      {
        scope,
        paymentId: showId(paymentIds, late.objectId),
        amount: { currency, value: wholeNumber(amount) },
        reason: 'late_payment',
        note: decider.reason.slice(0, maxNoteLength),
        userId,
        // After a restore, both the case and the payment may have new ids, but the rail reference is the same.
        purpose: late.refundPurpose ?? `late_refund ${railReference}`,
        at,
      },
    ]),
  )
}

export const maxNoteLength = 140 // limit: characters in a refund’s note
