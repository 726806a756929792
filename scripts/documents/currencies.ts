import { countries, minorDigits } from '@pesewa/values'
import { currencyNotes } from '../../packages/values/src/overlay.ts'
import { moduleOf } from './markdown.ts'

const codes = [...new Set(countries.flatMap(({ supportedCurrencies }) => supportedCurrencies))].sort()

/** Generates the console's currency formats, with the symbols and digits of the payer pages. */
export function writeCurrencies(): string {
  const lines = codes.map((code) => {
    const { symbol = code, frenchSymbol } = currencyNotes[code] ?? {}
    const note = { symbol, ...(frenchSymbol && { frenchSymbol }), digits: minorDigits(code) }
    return `  ${code}: ${JSON.stringify(note)},`
  })
  return moduleOf(
    '`packages/server/src/countries`',
    'type Currency = { symbol: string; frenchSymbol?: string; digits: number }',
    '',
    'export const currencies: Record<string, Currency> = {',
    ...lines,
    '}',
    '',
  )
}

/**
 * Generates the number of decimal places of each supported currency. The client does not guess it for other
 * currencies.
 */
export const writeSdkCurrencies = (): string =>
  moduleOf(
    '`packages/server/src/countries`',
    '/** Decimal places by currency. */',
    'export const digits: Readonly<Record<string, number>> = {',
    ...codes.map((code) => `  ${code}: ${minorDigits(code)},`),
    '}',
    '',
  )
