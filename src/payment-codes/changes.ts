import { mainAccount } from '../ledger/accounts.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Sound } from '../platform/http/route.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
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
import { checkAuthorized, readTerms, type Terms } from './terms.ts'

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
  const terms = await judgeChange(tx, parts, scope, code, change, at, faults)
  faults.refuse()
  const { financialAccountId = code.financialAccountId } = terms
  const changed: PaymentCode = {
    ...code,
    ...terms,
    financialAccountId: financialAccountId ?? (await mainAccount(tx, scope, code.currency, at)),
    failedCount: 0,
    updatedAt: at,
  }
  if (isMet(changed)) return end(tx, parts, scope, changed, 'completed', at)
  await updateCode(tx, scope, changed)
  if (terms.expiresAt) await scheduleExpiry(tx, scope, changed)
  return changed
}

/** Adds what is wrong with as much of a change as is given; answers what it says. */
export async function judgeChange(
  db: Reader,
  parts: CodeParts,
  scope: Scope,
  code: PaymentCode,
  change: Sound<PaymentCodeChange>,
  at: Date,
  faults: Faults,
): Promise<Partial<Terms>> {
  const terms = await readTerms(db, parts, scope, code, change, at, faults)
  checkAuthorized({ ...code, ...terms }, faults)
  return terms
}
