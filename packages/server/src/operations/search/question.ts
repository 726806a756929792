import { findCountry, isCurrency, maxAmount, must, readAmount, symbolOf } from '@pesewa/values'

/** An amount that was searched for, in minor units. `currency` is undefined if the text does not name one. */
export type SearchedAmount = { value: number; currency: string | undefined }

/**
 * Returns the amounts that a text can stand for in a country: `150`, `150.00`, `1,500`, `Le 150`, `150 SLE`. If
 * the text names no currency, there is one amount for each number of decimals that the country's currencies
 * have. Returns no amounts if the text is not an amount.
 */
export function amountsIn(text: string, countryCode: string): SearchedAmount[] {
  const [, before = '', digits, after = ''] =
    /^(\p{L}*\p{Sc}?)\s*([0-9](?:[0-9,.\s]*[0-9])?)\s*(\p{L}*\p{Sc}?)$/u.exec(
      text.normalize('NFKC').trim(),
    ) ?? []
  if (digits === undefined || (before && after)) return []
  const { supportedCurrencies } = must(findCountry(countryCode), 'country of a Space')
  const named = (before || after).toUpperCase()
  const currencies = named ? currenciesNamed(named, supportedCurrencies) : supportedCurrencies
  const amounts = currencies.map((currency) => ({
    value: Number(readAmount(plainDecimal(digits), currency) ?? 0n),
    currency: named ? currency : undefined,
  }))
  const seen = new Set<number>()
  return amounts.filter(({ value, currency }) => {
    if (value === 0 || value > maxAmount || (!currency && seen.has(value))) return false
    seen.add(value)
    return true
  })
}

/** Returns the currencies whose ISO 4217 code or symbol this is. */
function currenciesNamed(named: string, supported: readonly string[]): string[] {
  if (isCurrency(named)) return [named]
  const symbols = (currency: string) =>
    ['en', 'fr'].map((language) => symbolOf(currency, language).toUpperCase())
  return supported.filter((currency) => symbols(currency).includes(named))
}

/**
 * Converts an amount as people write it to plain decimal text. A separator is for groups if it occurs more than
 * once or three digits follow it; otherwise, it is the decimal separator.
 */
function plainDecimal(written: string): string {
  const [whole = '', fraction] = written.replace(/\s/g, '').split(/[.,](?=[0-9]{1,2}$)/)
  const digits = whole.replace(/[.,](?=[0-9]{3})/g, '')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}
