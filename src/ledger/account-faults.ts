import { isSupportedCurrency } from '../countries/money.ts'
import type { Faults } from '../platform/refusals.ts'

/** Adds a fault for a currency that is not supported; returns one that is. */
export function judgeCurrency(
  faults: Faults,
  param: string,
  currency: string | undefined,
): string | undefined {
  if (currency === undefined || isSupportedCurrency(currency)) return currency
  faults.add(param, 'is not a supported currency')
  return undefined
}

/** Adds a fault for an account that is not there, or is not in the currency, where that is certain. */
export function judgeAccount(
  faults: Faults,
  param: string,
  accountCurrency: string | undefined,
  currency: string | undefined,
): void {
  if (accountCurrency === undefined) faults.add(param, 'names no financial account here')
  else if (currency !== undefined && accountCurrency !== currency)
    faults.add(param, `is an account in ${accountCurrency}, not ${currency}`)
}
