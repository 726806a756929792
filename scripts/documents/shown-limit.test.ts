import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showLimit } from './shown-limit.ts'

const shown: [line: string, is: string][] = [
  ['export const maxBodyBytes = 256 * 1024', '256 KiB'],
  ['const maxStatementBytes = 4 * 1024 * 1024', '4 MiB'],
  ['const maxPayloadBytes = 7_000', '7 000 bytes'],
  ['const sendEveryMs = 10', '10 ms'],
  ['const replyWithinMs = 1_800', '1.8 s'],
  ['requestTimeoutMs: 90_000,', '90 s'],
  ["const maxLifeMs = durationMs('3650d')", '3 650 d'],
  ['const maxAmount = 9_007_199_254_740_991n', '9 007 199 254 740 991'],
  ['const maxKeyLength = 64', '64 characters'],
  ['maxLength = 255,', '255 characters'],
  ["const retryWaitsMs = ['5s', '5m'].map(durationMs)", '5 s, 5 m'],
  ["export const defaultDuration = '1h'", '1 h'],
  ["optional(duration('5m', '7d', defaultDuration)),", '5 m to 7 d'],
  ['{ minItems: 1, maxItems: 16 },', '1 to 16 entries'],
  ['const replaced = { maxItems: 50 }', 'at most 50 entries'],
  ['timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),', '1 ms to 1 m'],
  ['const rest: BreakerRest = { firstMs: 10_000, longestMs: 300_000 }', '10 s at first, 5 m at most'],
  ['disburse: { maxAtOnce: 16, maxPerSecond: 50, rest },', '16 at a time, 50 started per second'],
  ['accountText(typed, /^[0-9A-Z]{6,20}$/)', '6 to 20 characters'],
]

for (const [line, is] of shown)
  test(`${line} is shown as ${is}`, () => {
    assert.equal(showLimit(line), is)
  })

test('a limit must have its value on its own line', () => {
  assert.throws(() => showLimit('maximum: maxAmount,'), /has no value on its line/)
})
