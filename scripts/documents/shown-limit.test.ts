import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showLimit } from './shown-limit.ts'

const shown: [line: string, is: string, file?: string][] = [
  ['export const maxBodyBytes = 256 * 1024', '256 KiB'],
  ['const maxPayloadBytes = 7_000', '7 000 bytes'],
  ['const sendEveryMs = 10', '10 ms'],
  ['const answerWithinMs = 1_800', '1.8 s'],
  ['const requestTimeoutMs = 90_000', '90 s'],
  ['const maxAheadMs = 366 * dayMs', '366 d', 'const dayMs = 86_400_000 // a day\n'],
  ["const maxLifeMs = parseDuration('3650d')!", '3 650 d'],
  ['const longestWaitSeconds = 3_600', '1 h'],
  ['const maxAmount = 9_007_199_254_740_991n', '9 007 199 254 740 991'],
  ['const maxKeyLength = 64', '64 characters'],
  ['maxBatch = 500,', '500'],
  ["const retryWaitsMs = ['5s', '5m'].map(", '5 s, 5 m'],
  ["export const defaultDuration = '1h'", '1 h'],
  ["duration: optional(duration('5m', '7d', defaultDuration)),", '5 m to 7 d'],
  ['{ minItems: 1, maxItems: 16 },', '1 to 16 entries'],
  ['maxItems: maxHandsets,', 'at most 12 entries', 'export const maxHandsets = 12\n'],
  ['timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),', '1 ms to 1 m'],
  ['const rest: Rest = { firstMs: 10_000, longestMs: 300_000 }', '10 s at first, 5 m at most'],
  ['const lookMs: Record<Look, number> = { hour: 3_600_000, day: 86_400_000 }', '1 h, 1 d'],
  ['accountText(typed, /^[0-9A-Z]{6,20}$/)', '`/^[0-9A-Z]{6,20}$/`'],
  ['const places = lessPart(connections, 10)', '`lessPart(connections, 10)`'],
]

for (const [line, is, file] of shown)
  test(`${line} is shown as ${is}`, () => {
    assert.equal(showLimit(line, file), is)
  })

test('a limit whose value is in another file cannot be shown', () => {
  assert.throws(() => showLimit('value: Type.Integer({ maximum: maxAmount }),'), /not in its file/)
})
