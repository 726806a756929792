import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDuration } from './duration.ts'

test('durations are whole milliseconds', () => {
  const known = {
    '90s': 90_000,
    '10m': 600_000,
    '1h30m': 5_400_000,
    '2d': 172_800_000,
    '0s': 0,
    '1d1h1m1s': 90_061_000,
    '007s': 7_000,
  }
  for (const [text, ms] of Object.entries(known)) assert.equal(parseDuration(text), ms, text)
})

test('days, hours, minutes and seconds are optional and add up, in this order', () => {
  const count = fc.option(fc.nat(99_999_999), { nil: undefined })
  fc.assert(
    fc.property(count, count, count, count, (d, h, m, s) => {
      const parts = Object.entries({ d, h, m, s }).filter(([, n]) => n !== undefined)
      const text = parts.map(([unit, n]) => `${n}${unit}`).join('')
      const ms = (d ?? 0) * 86_400_000 + (h ?? 0) * 3_600_000 + (m ?? 0) * 60_000 + (s ?? 0) * 1_000
      assert.equal(parseDuration(text), text === '' ? undefined : ms)
    }),
  )
})

test('anything else is not a duration', () => {
  const wrong = [
    '',
    ' ',
    '5',
    's',
    'm5',
    '-5m',
    '+5m',
    '5 m',
    ' 5m',
    '5m ',
    '5m\n',
    '1.5h',
    '1,5h',
    '1e3s',
    '5M',
    '5ms',
    '5w',
    '30m1h',
    '5m5m',
    '١٠m',
    '5m!',
    '123456789s',
    'P1D',
    'null',
  ]
  for (const text of wrong) assert.equal(parseDuration(text), undefined, JSON.stringify(text))
})
