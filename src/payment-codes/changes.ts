import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import {
  type CodeParts,
  end,
  isOpen,
  isPast,
  lockCode,
  type PaymentCode,
  scheduleExpiry,
} from './payment-codes.ts'
import type { PaymentCodeChange } from './shapes.ts'
import { updateCode } from './store.ts'
import { isMet } from './target.ts'
import { checkAuthorized, readTerms } from './terms.ts'

/**
 * Changes the named fields of an open code. A payment in flight keeps what it began with. A target that is met by the
 * change completes the code.
 */
export async function changeCode(
  tx: Tx,
  parts: CodeParts,
  scope: Scope,
  id: string,
  change: PaymentCodeChange,
  at: Date,
): Promise<PaymentCode> {
  const code = await lockCode(tx, scope, id)
  if (!isOpen(code) || isPast(code, at)) throw new Refusal('state_conflict')
  const faults = new Faults()
  const terms = await readTerms(tx, parts, scope, code, change, at, faults)
  const changed: PaymentCode = { ...code, ...terms, failedCount: 0, updatedAt: at }
  checkAuthorized(changed, faults)
  faults.refuse()
  if (isMet(changed)) return end(tx, parts, scope, changed, 'completed', at)
  await updateCode(tx, scope, changed)
  if (terms.expiresAt) await scheduleExpiry(tx, scope, changed)
  return changed
}
