import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries as listed, type TCountryCode } from 'countries-list'
import { currencies as unicode } from 'countries-list/currencies'
import { countries, findCountry } from './countries.ts'
import { isSupportedCurrency, minorDigits } from './money.ts'
import { circulatingCurrencies, countryNames, currencyNotes } from './overlay.ts'

// Taken from ISO 4217 as of November 2026, not from the libraries: code, currency, number of digits, minor
// unit.
const iso4217 = `
  AO AOA 2 cêntimo
  BF XOF 0 centime
  BI BIF 0 centime
  BJ XOF 0 centime
  BW BWP 2 thebe
  CD CDF 2 centime
  CF XAF 0 centime
  CG XAF 0 centime
  CI XOF 0 centime
  CM XAF 0 centime
  CV CVE 2 centavo
  DJ DJF 0 centime
  ET ETB 2 santim
  GA XAF 0 centime
  GH GHS 2 pesewa
  GM GMD 2 butut
  GN GNF 0 centime
  GQ XAF 0 centime
  GW XOF 0 centime
  KE KES 2 cent
  KM KMF 0 centime
  LR LRD 2 cent
  LS LSL 2 sente
  MG MGA 2 iraimbilanja
  ML XOF 0 centime
  MR MRU 2 khoums
  MU MUR 2 cent
  MW MWK 2 tambala
  MZ MZN 2 centavo
  NA NAD 2 cent
  NE XOF 0 centime
  NG NGN 2 kobo
  RW RWF 0 centime
  SC SCR 2 cent
  SL SLE 2 cent
  SN XOF 0 centime
  SO SOS 2 cent
  SS SSP 2 piaster
  ST STN 2 cêntimo
  SZ SZL 2 cent
  TD XAF 0 centime
  TG XOF 0 centime
  TZ TZS 2 cent
  UG UGX 0 cent
  ZA ZAR 2 cent
  ZM ZMW 2 ngwee
  ZW ZWG 2 cent`

test('every country has the currency, digits and minor unit given by ISO 4217, sorted by code', () => {
  const ours = countries.map(({ code, currency }) =>
    [code, currency.code, currency.unitLength, currency.unit].join(' '),
  )
  assert.deepEqual(
    ours,
    iso4217
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  )
})

test('at least thirty countries are supported, each once', () => {
  assert(new Set(countries.map(({ code }) => code)).size === countries.length)
  assert(countries.length >= 30)
})

test('a country is found only by its exact code', () => {
  assert.deepEqual(findCountry('SL'), {
    code: 'SL',
    name: 'Sierra Leone',
    currency: { code: 'SLE', unit: 'cent', unitLength: 2 },
    supportedCurrencies: ['SLE'],
  })
  for (const code of ['sl', 'SLE', 'FR', '', 'ZZ', '__proto__']) assert.equal(findCountry(code), undefined)
})

test('a country supports its own currency first, then a second one that circulates there', () => {
  for (const { code, currency, supportedCurrencies } of countries) {
    assert.equal(supportedCurrencies[0], currency.code, code)
    assert.equal(new Set(supportedCurrencies).size, supportedCurrencies.length, code)
  }
  const second = countries.filter(({ supportedCurrencies }) => supportedCurrencies.length > 1)
  assert.deepEqual(
    Object.fromEntries(second.map(({ code, supportedCurrencies }) => [code, supportedCurrencies])),
    {
      CD: ['CDF', 'USD'],
      LR: ['LRD', 'USD'],
      LS: ['LSL', 'ZAR'],
      NA: ['NAD', 'ZAR'],
      SO: ['SOS', 'USD'],
      SZ: ['SZL', 'ZAR'],
      ZW: ['ZWG', 'USD'],
    },
  )
})

test('withdrawn currencies are not supported', () => {
  for (const code of ['SLL', 'ZWL', 'ZWD', 'ZMK', 'MRO', 'STD', 'GHC', 'MZM', 'SDD']) {
    assert.equal(isSupportedCurrency(code), false, code)
    assert.throws(() => minorDigits(code), RangeError, code)
  }
})

test('the two libraries agree on the digits of every supported currency', () => {
  const disagreements = supportedCurrencies().filter(
    (code) => unicode[code as keyof typeof unicode].decimals !== minorDigits(code),
  )
  assert.deepEqual(disagreements, [])
})

test('every overlay entry differs from the library', () => {
  for (const [code, currencies] of Object.entries(circulatingCurrencies)) {
    assert(findCountry(code), code)
    assert.notDeepEqual(listed[code as TCountryCode].currency, currencies, code)
  }
  for (const [code, name] of Object.entries(countryNames)) {
    assert.equal(findCountry(code)?.name, name)
    assert.notEqual(listed[code as TCountryCode].name, name, code)
  }
  assert.deepEqual(Object.keys(currencyNotes).toSorted(), supportedCurrencies())
})

test('no two currencies share a symbol, except the two CFA francs', () => {
  const symbols = Object.entries(currencyNotes)
    .filter(([code]) => code !== 'XAF')
    .map(([, { symbol }]) => symbol)
  assert.equal(new Set(symbols).size, symbols.length)
})

function supportedCurrencies(): string[] {
  return [...new Set(countries.flatMap((country) => country.supportedCurrencies))].toSorted()
}
