import { toMajorUnits } from '../../../countries/money.ts'
import type { MoneyOrder } from '../../connector.ts'
import { failure } from '../../failures.ts'
import type { OperationConf, PawapayOperation } from './active-conf.ts'

const always: readonly PawapayOperation[] = ['DEPOSIT', 'PAYOUT', 'REFUND']

/**
 * Who takes no decimals of a currency that has some, by pawaPay's list of providers of 2026. What an account's own
 * configuration says counts before it.
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

const wholeOnly = failure('rejected', 'The provider takes whole amounts only.')
const outOfBounds = failure('rejected', 'The provider takes no amount this small or this large.')

/** The amount as text; or why pawaPay would not take it, by its configuration where that is known. */
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

/** Whether a provider takes decimals at all, as far as the list says. */
const takesDecimals = (name: string, currency: string, operation: PawapayOperation): boolean =>
  !wholeAmountsOnly[`${name} ${currency}`]?.includes(operation)

/** Decimal text in major units, as short as can be: `15`, `15.50`. */
function shortAmount(amount: bigint, currency: string): string {
  return toMajorUnits(amount, currency).replace(/\.0+$/, '')
}
