import { LRUCache } from 'lru-cache'
import type { Reader } from '../platform/db/database.ts'
import { nameIn } from '../platform/db/scoped.ts'
import { type AccountId, selectCurrencies } from './store.ts'

/** The currencies of those that are accounts of a merchant's, by `nameIn` of their Space. */
export async function findCurrencies(db: Reader, wanted: AccountId[]): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map()
  const found = await selectCurrencies(db, wanted)
  return new Map(found.map(({ scope, id, currency }) => [nameIn(scope, id), currency]))
}

/** Account → currency. A currency never changes and no account is ever removed: what was read once stays true. */
export type KnownCurrencies = LRUCache<string, string>
export const createKnownCurrencies = (): KnownCurrencies => new LRUCache({ max: 100_000 })

/** By the names of the accounts. */
export async function currenciesOf(db: Reader, known: KnownCurrencies, accounts: AccountId[]) {
  const currencies = new Map<string, string>()
  const unknown = new Map<string, AccountId>()
  for (const account of accounts) {
    const name = nameIn(account.scope, account.id)
    const currency = known.get(name)
    if (currency !== undefined) currencies.set(name, currency)
    else if (account.id !== '') unknown.set(name, account)
  }
  if (unknown.size === 0) return currencies
  for (const { scope, id, currency } of await selectCurrencies(db, [...unknown.values()])) {
    currencies.set(nameIn(scope, id), currency)
    known.set(nameIn(scope, id), currency)
  }
  return currencies
}
