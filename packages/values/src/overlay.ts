/**
 * Data for our markets that the libraries lack or have wrong, as of 21 November 2026.
 *
 * All other data is from the libraries: names and currencies from `countries-list`, and decimals from
 * `currency-codes` (ISO 4217). To keep this file small, a test fails if an entry here is the same as in the
 * library.
 */

type CurrencyNotes = {
  /**
   * Name of the minor unit in lower case. For a currency without decimals in ISO 4217, it is a nominal one
   * (XOF: `centime`).
   */
  minorUnit: string
  /**
   * The local symbol in Latin letters. It must differ from the symbols of neighbouring countries (`L$`, not
   * `$`).
   */
  symbol: string
  /** The symbol in French, if it is different. */
  frenchSymbol?: string
}

/**
 * The names of minor units, which the libraries lack. In everyday use, the ariary and the ouguiya are divided
 * into fifths, but ISO 4217 and the rails use hundredths. The names here are the everyday ones, although the
 * numbers of decimals are those of ISO 4217.
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
 * The currencies that are actually used for payments, with the country's own first. They are given for
 * countries for which the library lists too few (the dollar wallets in Liberia, Congo and Somalia; the rand in
 * Eswatini) or too many (nine for Zimbabwe).
 */
export const circulatingCurrencies: Readonly<Record<string, readonly string[]>> = {
  CD: ['CDF', 'USD'],
  LR: ['LRD', 'USD'],
  SO: ['SOS', 'USD'],
  SZ: ['SZL', 'ZAR'],
  ZW: ['ZWG', 'USD'],
}

/**
 * ISO 3166 names of countries that have asked for their name not to be translated, but whose name the library
 * translates.
 */
export const countryNames: Readonly<Record<string, string>> = {
  CI: "Côte d'Ivoire",
}
