import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isSampled,
  newSpanId,
  newTraceId,
  readTraceparent,
  showTraceparent,
  traceOfObject,
} from './trace-ids.ts'

test('the trace of an object is the start of the SHA-256 of its public id, on every node', () => {
  // printf %s pay-01kah5c3v0e5r8m0q8z6b2t4xw | sha256sum
  const { traceId, spanId } = traceOfObject('pay-01kah5c3v0e5r8m0q8z6b2t4xw')
  assert.equal(traceId + spanId, '0bc069b9e10ea0bb2651b5981ba09b198823fcb46df22c42')
})

test('a traceparent that was shown can be read', () => {
  for (const sampled of [true, false]) {
    const context = { traceId: newTraceId(0.5, sampled), spanId: newSpanId(), isSampled: sampled }
    assert.deepEqual(readTraceparent(showTraceparent(context)), context)
  }
})

test('a malformed traceparent is ignored, whatever it is', () => {
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  assert.ok(readTraceparent(`00-${trace}-${span}-01`))
  assert.ok(readTraceparent(`01-${trace}-${span}-01-more`))
  const malformed = [
    ...[undefined, null, 7, ['00'], '', '-', trace, `00-${trace}-${span}`, `00-${trace}-${span}-1`],
    ...[`00-${trace}-${span}-01-more`, `ff-${trace}-${span}-01`, `00-${trace.toUpperCase()}-${span}-01`],
    ...[`00-${'0'.repeat(32)}-${span}-01`, `00-${trace}-${'0'.repeat(16)}-01`, ` 00-${trace}-${span}-01`],
    `01-${trace}-${span}-01-${'a'.repeat(1_000)}`,
  ]
  for (const one of malformed) assert.equal(readTraceparent(one), undefined, String(one))
  fc.assert(fc.property(fc.anything(), (one) => void readTraceparent(one)))
})

test('the share of traces that is sampled is the one that was asked for', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => traceOfObject(String(i)).traceId)
  const share = (ratio: number) => ids.filter((id) => isSampled(id, ratio)).length / ids.length
  assert.equal(share(0), 0)
  assert.equal(share(1), 1)
  assert.ok(Math.abs(share(0.01) - 0.01) < 0.003)
  assert.equal(isSampled('f'.repeat(32), 0), false)
  assert.equal(isSampled('0'.repeat(32), 1), true)
})

test('a random id belongs to the share of traces for which it was created', () => {
  for (const ratio of [0.000001, 0.01, 0.5, 0.99])
    for (let i = 0; i < 1_000; i++)
      for (const isChosen of [true, false]) {
        const id = newTraceId(ratio, isChosen)
        assert.match(id, /^[0-9a-f]{32}$/)
        assert.equal(isSampled(id, ratio), isChosen, `${id} ${ratio}`)
      }
  assert.equal(new Set(Array.from({ length: 1_000 }, () => newTraceId(0.01, true))).size, 1_000)
})
