import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isoTime } from './iso-time.ts'

const near = fc.date({
  min: new Date('2026-11-26T23:00Z'),
  max: new Date('2026-11-28T01:00Z'),
  noInvalidDate: true,
})

test('a time has the same text as with toISOString, on the same day, another day or in another century', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(near, fc.date({ noInvalidDate: true }))), (times) =>
      assert.deepEqual(
        times.map(isoTime),
        times.map((time) => time.toISOString()),
      ),
    ),
  )
})

test('an invalid time is refused', () => {
  assert.throws(() => isoTime(new Date(Number.NaN)), RangeError)
})
