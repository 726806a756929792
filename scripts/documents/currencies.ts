import { countries } from '../../src/countries/countries.ts'
import { minorDigits } from '../../src/countries/money.ts'
import { currencyNotes } from '../../src/countries/overlay.ts'

/** How the console writes amounts: by the same symbols and digits as the pages of payers. */
export function writeCurrencies(): string {
  const codes = [...new Set(countries.flatMap(({ supportedCurrencies }) => supportedCurrencies))].sort()
  const lines = codes.map((code) => {
    const { symbol = code, frenchSymbol } = currencyNotes[code] ?? {}
    const note = { symbol, ...(frenchSymbol && { frenchSymbol }), digits: minorDigits(code) }
    return `  ${code}: ${JSON.stringify(note)},`
  })
  return [
    '// Written by `npm run write` from `src/countries`: edit that instead.',
    '',
    'type Currency = { symbol: string; frenchSymbol?: string; digits: number }',
    '',
    'export const currencies: Record<string, Currency> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}
