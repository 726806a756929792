import { isSupportedCurrency } from '@pesewa/values'
import { createCache } from '../../platform/cache.ts'
import type { Reader } from '../../platform/db/database.ts'
import { globalName } from '../../platform/db/scoped.ts'
import type { Issues } from '../../platform/refusals.ts'
import { type AccountId, selectCurrencies } from './store.ts'

/**
 * A cache of the currencies of accounts. Its entries remain valid, because an account's currency never changes
 * and no account is removed.
 */
export type CurrencyCache = Pick<Map<string, string>, 'get'> & {
  set(name: string, currency: string): unknown
}
export const createCurrencyCache = (): CurrencyCache => createCache<string, string>({ max: 100_000 })

/** Returns the currencies of those of the `accounts` that belong to merchants, keyed by `globalName`. */
export async function findCurrencies(
  db: Reader,
  accounts: AccountId[],
  cache: CurrencyCache = new Map(),
): Promise<Map<string, string>> {
  const currencies = new Map<string, string>()
  const missing = new Map<string, AccountId>()
  for (const account of accounts) {
    const name = globalName(account.scope, account.id)
    const currency = cache.get(name)
    if (currency !== undefined) currencies.set(name, currency)
    else if (account.id !== '') missing.set(name, account)
  }
  if (missing.size === 0) return currencies
  for (const { scope, id, currency } of await selectCurrencies(db, [...missing.values()])) {
    currencies.set(globalName(scope, id), currency)
    cache.set(globalName(scope, id), currency)
  }
  return currencies
}

/** Returns the currency if it is supported; otherwise, adds an issue and returns `undefined`. */
export function validateCurrency(
  issues: Issues,
  param: string,
  currency: string | undefined,
): string | undefined {
  if (currency === undefined || isSupportedCurrency(currency)) return currency
  issues.add(param, 'is not a supported currency')
  return undefined
}

/** Adds an issue if the account does not exist or is known to have a different currency. */
export function validateAccount(
  issues: Issues,
  param: string,
  accountCurrency: string | undefined,
  currency: string | undefined,
): void {
  if (accountCurrency === undefined) issues.add(param, 'does not name a financial account in this Space')
  else if (currency !== undefined && accountCurrency !== currency)
    issues.add(param, `is an account in ${accountCurrency}, not ${currency}`)
}
