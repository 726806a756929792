import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodingOf } from '../../../platform/http/server/compression.ts'
import { countryName, formatNumber, formatTime, languageOf } from './language.ts'

test('the page uses the language that the browser prefers, or English', () => {
  for (const [header, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['fr', 'fr'],
    ['fr-CI', 'fr'],
    ['FR-bj,en;q=0.8', 'fr'],
    ['en-GB,fr;q=0.9', 'en'],
    ['en;q=0.3, fr;q=0.7', 'fr'],
    ['de, kri;q=0.9, fr;q=0.2', 'kri'],
    ['pt-MZ', 'pt'],
    ['sw-KE', 'sw'],
    ['fr;q=0, en;q=0.1', 'en'],
    ['fr;q=0', 'en'],
    ['fr;q=2, en;q=0.1', 'en'],
    ['*', 'en'],
    ['constructor, __proto__, fr;q=0.5', 'fr'],
    ['<script>, ;;;q=, fr ; q = 0.5', 'fr'],
    [`${'x,'.repeat(5000)}fr`, 'en'],
  ] as const)
    assert.equal(languageOf(header), language, header?.slice(0, 40))
})

test('numbers, times and countries are formatted for each language', () => {
  assert.equal(formatNumber(100_000, 'en'), '100,000')
  assert.equal(formatNumber(100_000, 'fr'), '100\u202f000')
  const at = new Date('2026-11-21T14:30:59Z')
  assert.equal(formatTime(at, 'en', 'Africa/Freetown'), '21 November 2026 at 14:30 GMT')
  assert.equal(formatTime(at, 'fr', 'Africa/Freetown'), '21 novembre 2026 à 14:30 UTC')
  assert.equal(formatTime(at, 'fr', 'Africa/Kigali'), '21 novembre 2026 à 16:30 UTC+2')
  assert.equal(formatTime(at, 'kri', 'Africa/Freetown'), '21 November 2026 at 14:30 GMT')
  assert.equal(formatTime(at, 'sw', 'Africa/Nairobi'), '21 Novemba 2026, 17:30 GMT +3')
  assert.equal(formatTime(at, 'pt', 'Africa/Maputo'), '21 de novembro de 2026 às 16:30 GMT+2')
  assert.equal(countryName('CM', 'en'), 'Cameroon')
  assert.equal(countryName('CM', 'fr'), 'Cameroun')
})

test('responses are compressed as the client accepts', () => {
  for (const [header, encoding] of [
    [undefined, undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity, *', undefined],
  ] as const)
    assert.equal(encodingOf(header), encoding, header)
})
