import { isSupportedCurrency } from '../countries/money.ts'
import type { Faults } from '../platform/refusals.ts'

/** Adds a fault for a currency that nobody here is paid in. Answers the currency if it is one that can be relied on. */
export function judgeCurrency(
  faults: Faults,
  param: string,
  currency: string | undefined,
): string | undefined {
  if (currency === undefined || isSupportedCurrency(currency)) return currency
  faults.add(param, 'is not a supported currency')
  return undefined
}

/**
 * Adds a fault for an account, known by its currency, that is not there or has another than what is `wanted`; without
 * that it cannot be the account's fault.
 */
export function judgeAccount(
  faults: Faults,
  param: string,
  held: string | undefined,
  wanted: string | undefined,
): void {
  if (held === undefined) faults.add(param, 'names no financial account here')
  else if (wanted !== undefined && held !== wanted)
    faults.add(param, `is an account in ${held}, not ${wanted}`)
}
