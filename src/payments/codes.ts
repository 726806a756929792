import { beginCode } from '../instructions/codes.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Fence } from '../providers/fence.ts'
import { countCode, type Payment, selectPayment } from './store.ts'

const maxCodes = 5 // limit: codes that the payer of one payment may give

/** As providers send them to payers: nothing else is passed on. */
export const codePattern = '^[0-9]{4,12}$'

/** Whether the payer has to give the provider a code, and may. */
export const asksForCode = ({ status, guidance, codesSubmitted }: Payment): boolean =>
  status === 'processing' && guidance?.asksForCode === true && codesSubmitted < maxCodes

/**
 * Counts a code that is passed on when this has committed, while `mayLeave` says so. The code itself is kept nowhere.
 *
 * @throws Refusal, and nothing has begun
 */
export async function takeCode(
  tx: Tx,
  scope: Scope,
  id: string,
  at: Date,
): Promise<{ payment: Payment; mayLeave: Fence }> {
  const mayLeave = await beginCode(tx, { scope, id }, at)
  const counted = await countCode(tx, scope, id, maxCodes)
  if (counted) return { payment: counted, mayLeave }
  const payment = await selectPayment(tx, scope, id)
  if (!payment) throw new Refusal('not_found')
  const { status, guidance } = payment
  if (status === 'processing' && guidance?.asksForCode)
    throw new Refusal('too_many_requests', { message: 'This payment has had too many codes.' })
  throw new Refusal('state_conflict', { message: 'This payment does not ask for a code.' })
}
