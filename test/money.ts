import { mainAccount, systemAccount } from '../src/ledger/accounts.ts'
import { post } from '../src/ledger/postings.ts'
import { newReference } from '../src/ledger/reference.ts'
import { accountIds } from '../src/ledger/resources.ts'
import { showId } from '../src/platform/ids.ts'
import type { Platform } from '../src/platform/platform.ts'
import type { Scope } from '../src/platform/scope.ts'

/** Puts money on the Space's main account, and answers its id. */
export function fund(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  scope: Scope,
  value: number,
  currency = 'SLE',
): Promise<string> {
  return db.transaction(async (tx) => {
    const at = clock.now(scope)
    const main = await mainAccount(tx, scope, currency, at)
    const funding = await systemAccount(tx, scope, 'funding', currency, at)
    const movements = [
      { accountId: funding, amount: -BigInt(value) },
      { accountId: main, amount: BigInt(value) },
    ]
    await post(tx, scope, { reference: newReference(at), at, owners: [], movements })
    return showId(accountIds, main)
  })
}
