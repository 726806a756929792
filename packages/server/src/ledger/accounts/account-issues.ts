import { isSupportedCurrency } from '@pesewa/values'
import type { Issues } from '../../platform/refusals.ts'

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
