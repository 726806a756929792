/**
 * What the data libraries lack or have wrong for our markets, as of 21 November 2026.
 *
 * Everything else comes from them: names and currencies from `countries-list`, digits from `currency-codes`
 * (ISO 4217). A test fails when an entry here says nothing new, so that the file stays small.
 */

type CurrencyNotes = {
  /** The minor unit's own name, lower case; the nominal one where ISO 4217 gives no digits (XOF: `centime`). */
  minorUnit: string
  /** How the currency is written where it is used, in Latin letters and unlike its neighbours' (`L$`, not `$`). */
  symbol: string
  /** Where French writes another symbol. */
  frenchSymbol?: string
}

/**
 * No library names minor units. Ariary and ouguiya divide by five in the street, but ISO 4217 counts them in
 * hundredths, and so do the rails: the name is the street's, the digits are ISO's.
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
 * Currencies that payments are really made in, the country's own first, where the library names too few (the
 * dollar wallets of Liberia, Congo and Somalia; the rand in Eswatini) or too many (it lists nine for Zimbabwe).
 */
export const circulatingCurrencies: Readonly<Record<string, readonly string[]>> = {
  CD: ['CDF', 'USD'],
  LR: ['LRD', 'USD'],
  SO: ['SOS', 'USD'],
  SZ: ['SZL', 'ZAR'],
  ZW: ['ZWG', 'USD'],
}

/** ISO 3166 names, where the library translates what the country asks not to have translated. */
export const countryNames: Readonly<Record<string, string>> = {
  CI: "Côte d'Ivoire",
}
