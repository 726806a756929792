import { must } from '@pesewa/values'
import { createCache } from '../../platform/cache.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { mainAccounts } from './accounts.ts'
import { type AccountPurpose, selectAccountsByPurpose } from './store.ts'

// The main accounts of many Spaces. The keys of all maps are made with `globalName` from the scope and currency.

/** A cache of the ids of main accounts. Its entries remain valid, because a main account never changes. */
export type MainAccountCache = ReturnType<typeof createMainAccountCache>
export const createMainAccountCache = () => createCache<string, string>({ max: 100_000 })

/** Returns the main accounts that already exist. */
export async function findMainAccounts(
  db: Reader,
  cache: MainAccountCache,
  needed: Scoped<{ currency: string }>[],
): Promise<Map<string, string>> {
  const mains = new Map<string, string>()
  const missing = new Map<string, AccountPurpose>()
  for (const { scope, currency } of needed) {
    const name = globalName(scope, currency)
    const id = cache.get(name)
    if (id !== undefined) mains.set(name, id)
    else missing.set(name, { scope, purpose: 'main', currency })
  }
  if (missing.size === 0) return mains
  for (const { scope, currency, id } of await selectAccountsByPurpose(db, [...missing.values()])) {
    mains.set(globalName(scope, currency), id)
    cache.set(globalName(scope, currency), id)
  }
  return mains
}

/** Returns the main accounts, and opens those that do not exist yet. */
export async function openMainAccounts(
  tx: Tx,
  needed: Scoped<{ currency: string; at: Date }>[],
): Promise<Map<string, string>> {
  const ids = await mainAccounts(tx, needed)
  return new Map(
    needed.map(({ scope, currency }, i) => [globalName(scope, currency), must(ids[i], 'main account')]),
  )
}
