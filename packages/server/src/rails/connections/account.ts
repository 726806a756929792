import type { Provider } from '@pesewa/connector-kit'
import { callingCode, parsePhone } from '@pesewa/values/phones'
import { luhnDigit } from '../../ledger/accounts/uvan.ts'
import type { Environment } from '../../platform/scope.ts'

/** The API field that contains the account of a payer or payee, by provider type. Cards have no account. */
export const accountFields = { momo: 'phoneNumber', bank: 'accountNumber', wallet: 'walletId' } as const

/**
 * Normalizes an account as entered by a person. Returns `undefined` if the provider cannot have such an
 * account.
 */
export function readAccount(
  { type, country }: Provider,
  typed: string,
  environment: Environment,
): string | undefined {
  switch (type) {
    case 'momo': {
      const phone = parsePhone(typed, country, environment)
      return phone?.startsWith(`+${callingCode(country)}`) ? phone : undefined
    }
    case 'bank':
      return accountText(typed.replace(/[\s-]/g, '').toUpperCase(), /^[0-9A-Z]{6,20}$/) // limit: length of a bank account number
    case 'wallet':
      return accountText(typed.trim(), /^[\x21-\x7e]{3,64}$/) // limit: length of a wallet id
    default:
      return undefined
  }
}

const accountText = (text: string, form: RegExp) =>
  form.test(text) && !isCardNumber(text) ? text : undefined

/**
 * Returns whether a string looks like a card number. Such strings are refused, because somebody may have typed
 * a card number into the wrong field. As a result, a few genuine account numbers are refused, too.
 */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ .-]/g, '')
  if (!/^[0-9]{15,19}$/.test(digits) || !/^(4|5[0-8]|2[2-7]|6)/.test(digits)) return false
  return luhnDigit(digits.slice(0, -1)) === digits.at(-1)
}
