import type { Fence } from '@pesewa/connector-kit'
import type { Tx } from '../../platform/db/database.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { beginCode } from '../../rails/instructions/codes.ts'
import { countCode, type Payment, selectPayment } from './store.ts'

const maxCodes = 5 // limit: codes that a payer may submit for one payment

/** Format of the codes that providers expect from payers. Any other input is not passed on to the provider. */
export const codePattern = '^[0-9]{4,12}$'

/** Returns whether the provider expects a code and the payer may still submit one. */
export const asksForCode = ({ status, guidance, codesSubmitted }: Payment): boolean =>
  status === 'processing' && guidance?.asksForCode === true && codesSubmitted < maxCodes

/**
 * Counts a submitted code. The code is passed on to the provider after the commit, as long as `mayLeave` allows
 * it, and is never stored.
 *
 * @throws Refusal `not_found`; `too_many_requests`; `state_conflict` if no code is expected. In all of these
 * cases, the code is not counted.
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
  const payment = existing(await selectPayment(tx, scope, id))
  const { status, guidance } = payment
  if (status === 'processing' && guidance?.asksForCode)
    throw new Refusal('too_many_requests', {
      message: 'Too many codes have been submitted for this payment.',
    })
  throw new Refusal('state_conflict', { message: 'This payment does not require a code.' })
}
