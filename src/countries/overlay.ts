/**
 * Data that the libraries lack or get wrong for our markets, as of 21 November 2026.
 *
 * Everything else comes from them: names and currencies from `countries-list`, decimals from `currency-codes`
 * (ISO 4217). A test fails if an entry here matches the library, to keep this file small.
 */

type CurrencyNotes = {
  /** Name of the minor unit, in lower case; a nominal one if ISO 4217 gives no decimals (XOF: `centime`). */
  minorUnit: string
  /** Local symbol in Latin letters, distinct from the neighbours' (`L$`, not `$`). */
  symbol: string
  /** Symbol in French, if different. */
  frenchSymbol?: string
}

/**
 * No library names minor units. Ariary and ouguiya are divided into fifths in everyday use, but ISO 4217 and
 * the rails use hundredths. The names here are the everyday ones; the decimals are ISO's.
 */
export const currencyNotes: Readonly<Record<string, CurrencyNotes>> = {
  AOA: { minorUnit: 'cêntimo', symbol: 'Kz' },
  BIF: { minorUnit: 'centime', symbol: 'FBu' },
  BWP: { minorUnit: 'thebe', symbol: 'P' },
  CDF: { minorUnit: 'centime', symbol: 'FC' },
  CVE: { minorUnit: 'centavo', symbol: 'Esc' },
  DJF: { minorUnit: 'centime', symbol: 'Fdj' },
  ETB: { minorUnit: 'santim', symbol: 'Br' },
  GHS: { minorUnit: 'pesewa', symbol: 'GH₵' },
  GMD: { minorUnit: 'butut', symbol: 'D' },
  GNF: { minorUnit: 'centime', symbol: 'FG' },
  KES: { minorUnit: 'cent', symbol: 'KSh' },
  KMF: { minorUnit: 'centime', symbol: 'CF' },
  LRD: { minorUnit: 'cent', symbol: 'L$' },
  LSL: { minorUnit: 'sente', symbol: 'M' },
  MGA: { minorUnit: 'iraimbilanja', symbol: 'Ar' },
  MRU: { minorUnit: 'khoums', symbol: 'UM' },
  MUR: { minorUnit: 'cent', symbol: 'Rs' },
  MWK: { minorUnit: 'tambala', symbol: 'MK' },
  MZN: { minorUnit: 'centavo', symbol: 'MT' },
  NAD: { minorUnit: 'cent', symbol: 'N$' },
  NGN: { minorUnit: 'kobo', symbol: '₦' },
  RWF: { minorUnit: 'centime', symbol: 'FRw' },
  SCR: { minorUnit: 'cent', symbol: 'SR' },
  SLE: { minorUnit: 'cent', symbol: 'Le' },
  SOS: { minorUnit: 'cent', symbol: 'Sh.So.' },
  SSP: { minorUnit: 'piaster', symbol: 'SSP' },
  STN: { minorUnit: 'cêntimo', symbol: 'Db' },
  SZL: { minorUnit: 'cent', symbol: 'E' },
  TZS: { minorUnit: 'cent', symbol: 'TSh' },
  UGX: { minorUnit: 'cent', symbol: 'USh' },
  USD: { minorUnit: 'cent', symbol: 'US$' },
  XAF: { minorUnit: 'centime', symbol: 'CFA', frenchSymbol: 'FCFA' },
  XOF: { minorUnit: 'centime', symbol: 'CFA', frenchSymbol: 'FCFA' },
  ZAR: { minorUnit: 'cent', symbol: 'R' },
  ZMW: { minorUnit: 'ngwee', symbol: 'K' },
  ZWG: { minorUnit: 'cent', symbol: 'ZiG' },
}

/**
 * Currencies actually used for payments, the country's own first, for countries where the library lists too few
 * (the dollar wallets of Liberia, Congo and Somalia; the rand in Eswatini) or too many (nine for Zimbabwe).
 */
export const circulatingCurrencies: Readonly<Record<string, readonly string[]>> = {
  CD: ['CDF', 'USD'],
  LR: ['LRD', 'USD'],
  SO: ['SOS', 'USD'],
  SZ: ['SZL', 'ZAR'],
  ZW: ['ZWG', 'USD'],
}

/** ISO 3166 names of countries that ask not to have their name translated, where the library translates it. */
export const countryNames: Readonly<Record<string, string>> = {
  CI: "Côte d'Ivoire",
}
