import { mainAccount } from '../../ledger/accounts/accounts.ts'
import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { end, isExpired, isOpen, lockCode, type PaymentCodeParts, scheduleExpiry } from './payment-codes.ts'
import type { PaymentCodeChange } from './shapes.ts'
import { type PaymentCode, updateCode } from './store.ts'
import { isTargetMet } from './target.ts'
import { validateCodeTerms } from './terms.ts'

/**
 * Changes the given fields of an open code, and completes the code if it now meets its target. Payments in
 * flight are not affected.
 */
export async function changeCode(
  tx: Tx,
  parts: PaymentCodeParts,
  scope: Scope,
  id: string,
  change: PaymentCodeChange,
  at: Date,
): Promise<PaymentCode> {
  const code = await lockCode(tx, scope, id)
  if (!isOpen(code) || isExpired(code, at)) throw new Refusal('state_conflict')
  const issues = new Issues()
  const terms = await validateCodeTerms(tx, parts, scope, code, change, at, issues)
  issues.refuse()
  await markChanging(tx, 'payment_code', sql`payment_codes`, [{ id, scope }])
  const { financialAccountId = code.financialAccountId } = terms
  const changed: PaymentCode = {
    ...code,
    ...terms,
    financialAccountId: financialAccountId ?? (await mainAccount(tx, scope, code.currency, at)),
    failedCount: 0,
    updatedAt: at,
  }
  if (isTargetMet(changed)) return end(tx, parts.settings, scope, changed, 'completed', at)
  await updateCode(tx, scope, changed)
  if (terms.expiresAt) await scheduleExpiry(tx, scope, changed)
  return changed
}
