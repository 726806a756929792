import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sameText } from '@pesewa/values'
import fc from 'fast-check'
import { openCursor, sealCursor } from './http/lists/cursor.ts'
import { createSeals } from './seals.ts'

const seals = createSeals('a secret key that only this test knows')
const text = fc.string({ unit: 'grapheme' })

describe('a seal', () => {
  test('opens only for its purpose and with its key', () => {
    fc.assert(
      fc.property(text, text, text, (purpose, other, payload) => {
        const sealed = seals.seal(purpose, payload)
        assert.equal(seals.open(purpose, sealed), payload)
        if (other !== purpose) assert.equal(seals.open(other, sealed), undefined)
        assert.equal(createSeals('another secret key, as long as the first').open(purpose, sealed), undefined)
      }),
    )
  })

  test('detects every changed, removed or added character', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        fc.constantFrom('', 'A', 'B', '-', '_', '=', '.', '+', ' ', '\n', '\0', 'é'),
        fc.boolean(),
        (payload, n, character, isAdded) => {
          const sealed = seals.seal('cursor', payload)
          const at = n % sealed.length
          const altered = sealed.slice(0, at) + character + sealed.slice(isAdded ? at : at + 1)
          assert.equal(seals.open('cursor', altered), altered === sealed ? payload : undefined)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('cannot be opened from arbitrary text', () => {
    fc.assert(fc.property(text, (given) => seals.open('cursor', given) === undefined))
    for (const given of ['', '.', '..', 'a.b', 'a.b.c']) assert.equal(seals.open('cursor', given), undefined)
  })

  test('tags and fingerprints are deterministic, and differ by text and purpose', () => {
    for (const make of [seals.tag, seals.fingerprint]) {
      assert.equal(make('a', 'text'), make('a', 'text'))
      assert.equal(
        new Set([make('a', 'text'), make('b', 'text'), make('a', 'texts'), make('at', 'ext')]).size,
        4,
      )
    }
    assert.equal(seals.tag('a', 'text').length, 22)
  })
})

test('sameText is true for equal texts only', () => {
  fc.assert(fc.property(text, text, (a, b) => sameText(a, a) && sameText(a, b) === (a === b)))
})

describe('a cursor', () => {
  const binding = { spaceId: 's', environment: 'test', url: '/v1/payments', filters: { a: '1', b: '2' } }

  test('returns its position for the same query, whatever the order of its filters', () => {
    const cursor = sealCursor(seals, binding, '0190-abc')
    assert.equal(openCursor(seals, { ...binding, filters: { b: '2', a: '1' } }, cursor), '0190-abc')
  })

  test('is refused for any other query', () => {
    const cursor = sealCursor(seals, binding, '0190-abc')
    const others = [
      { spaceId: 'o' },
      { environment: 'live' },
      { url: '/v1/payouts' },
      { filters: {} },
      { filters: { a: '12' } },
      { filters: { a: 1, b: '2' } },
    ]
    for (const other of others)
      assert.throws(() => openCursor(seals, { ...binding, ...other }, cursor), { reason: 'cursor_invalid' })
  })
})
