import { mainAccount, systemAccount } from '../../packages/server/src/ledger/accounts/accounts.ts'
import { post } from '../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../packages/server/src/ledger/accounts/resources.ts'
import { readId, showId } from '../../packages/server/src/platform/ids.ts'
import type { Platform } from '../../packages/server/src/platform/platform.ts'
import type { Scope } from '../../packages/server/src/platform/scope.ts'

/** Credits money to an account, or to the Space's main account, and returns the account's id. */
export function fund(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  scope: Scope,
  value: number,
  { currency = 'SLE', account }: { currency?: string; account?: string } = {},
): Promise<string> {
  return db.transaction(async (tx) => {
    const at = clock.now(scope)
    const main = account ? readId(accountIds, account)! : await mainAccount(tx, scope, currency, at)
    // There is no funding account in live.
    const purpose = scope.environment === 'test' ? 'funding' : 'suspense'
    const funding = await systemAccount(tx, scope, purpose, currency, at)
    const movements = [
      { accountId: funding, amount: -BigInt(value) },
      { accountId: main, amount: BigInt(value) },
    ]
    await post(tx, scope, { reference: newReference(at), at, owners: [], movements })
    return showId(accountIds, main)
  })
}
