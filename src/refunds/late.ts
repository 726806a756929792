import { closeCase, findCase } from '../ledger/cases.ts'
import { lockPayments } from '../payments/payments.ts'
import { writeRefunded } from '../payments/refundable.ts'
import { paymentIds } from '../payments/resources.ts'
import { onlyAnswer } from '../platform/batches.ts'
import { readNow } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Decider } from '../spaces/audit.ts'
import { createRefunds } from './new-refunds.ts'
import type { RefundParts } from './refunds.ts'
import type { Refund } from './store.ts'

/**
 * Gives money that arrived after its payment had failed back to whoever paid: closes the case in favour of the account
 * that the payment was for, and refunds all of it from there, in one transaction. No fee is due.
 *
 * @param of the Space that it must be of; any, where the operator decides
 * @param userId none where the operator decides
 * @throws Refusal `not_found`; `state_conflict` when it is closed, or about something else; `refund_unsupported`
 */
export async function returnLate(
  tx: Tx,
  parts: RefundParts,
  { id, of, userId }: { id: string; of?: Scope; userId: string | null },
  decider: Decider,
): Promise<Scoped<Refund>> {
  const late = await findCase(tx, id)
  if (!late || (of && (late.spaceId !== of.spaceId || late.environment !== of.environment)))
    throw new Refusal('not_found', { message: 'There is no such case.' })
  if (late.kind !== 'success_after_failure' || late.objectType !== 'payment')
    throw new Refusal('state_conflict', { message: 'This case is not about a payment that arrived late.' })
  const scope = { spaceId: late.spaceId, environment: late.environment }
  // The payment before the accounts, as with every refund.
  const [payment] = await lockPayments(tx, [{ scope, id: late.objectId }])
  const { status, financialAccountId, currency, railReference } = must(payment, 'payment of a case')
  if (status !== 'failed') throw new Refusal('state_conflict', { message: 'This payment has not failed.' })
  if (currency !== late.currency)
    throw new Refusal('state_conflict', {
      message: `It arrived in ${late.currency}, and was to be in ${currency}.`,
    })
  const { amount } = await closeCase(tx, id, decider, { accountId: financialAccountId, returned: 0n })
  const at = await readNow(tx, scope)
  await writeRefunded(tx, [{ ...must(payment, 'payment of a case'), lateReceived: amount, updatedAt: at }])
  return onlyAnswer(
    await createRefunds(tx, parts, [
      {
        scope,
        paymentId: showId(paymentIds, late.objectId),
        amount: { currency, value: wholeNumber(amount) },
        reason: 'late_payment',
        note: decider.reason.slice(0, maxNoteLength),
        userId,
        // After a restore both the case and the payment may be new; to the rail the payment is the same.
        purpose: late.refundPurpose ?? `late_refund ${railReference}`,
        at,
      },
    ]),
  )
}

export const maxNoteLength = 140 // limit: characters of a refund’s note
