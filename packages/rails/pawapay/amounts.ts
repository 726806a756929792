import { failure, type MoneyOrder } from '@pesewa/connector-kit'
import { toMajorUnits } from '@pesewa/values'
import type { OperationConf, PawapayOperation } from './active-conf.ts'

const always: readonly PawapayOperation[] = ['DEPOSIT', 'PAYOUT', 'REFUND']

/**
 * Providers that do not accept decimals although their currency has them, according to pawaPay's provider list
 * of 2026. The configuration of an account takes precedence.
 */
const wholeAmountsOnly: Readonly<Record<string, readonly PawapayOperation[]>> = {
  'AIRTEL_NGA NGN': always,
  'HALOTEL_TZA TZS': always,
  'MOVITEL_MOZ MZN': always,
  'MPESA_KEN KES': ['DEPOSIT'],
  'TIGO_TZA TZS': always,
  'VODACOM_MPESA_COD CDF': always,
  'VODACOM_TZA TZS': always,
}

const wholeOnly = failure('rejected', 'The provider accepts only whole amounts.')
const outOfBounds = failure('rejected', 'The amount is outside the provider’s limits.')

/**
 * Returns the amount as text, or the failure if pawaPay would not accept the amount. Uses the provider's
 * configuration if it is available.
 */
export function amountFor(
  name: string,
  operation: PawapayOperation,
  { amount, currency }: MoneyOrder,
  conf: OperationConf | undefined,
) {
  const text = shortAmount(amount, currency)
  const mayHaveDecimals = conf?.takesDecimals ?? takesDecimals(name, currency, operation)
  if (text.includes('.') && !mayHaveDecimals) return wholeOnly
  const { minAmount = amount, maxAmount = amount } = conf ?? {}
  return amount < minAmount || amount > maxAmount ? outOfBounds : text
}

/** Returns whether a provider accepts decimals according to `wholeAmountsOnly`. */
const takesDecimals = (name: string, currency: string, operation: PawapayOperation): boolean =>
  !wholeAmountsOnly[`${name} ${currency}`]?.includes(operation)

/** Formats an amount in major units and omits decimals that are all zero: `15`, `15.50`. */
function shortAmount(amount: bigint, currency: string): string {
  return toMajorUnits(amount, currency).replace(/\.0+$/, '')
}
