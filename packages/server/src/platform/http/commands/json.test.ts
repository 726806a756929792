import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wholeNumber } from '@pesewa/values'
import fc from 'fast-check'
import { canonicalJson, exactJson, parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const numberIn = (text: string) => (parse(`[${text}]`) as number[])[0]! + 0
const isRefused = (number: string) => Number.isNaN(numberIn(number))

describe('a number in a body', () => {
  test('is read exactly, or refused', () => {
    const kept = {
      '0': 0,
      '-1': -1,
      '1.0': 1,
      '1e3': 1000,
      '10e-1': 1,
      '1.50e1': 15,
      '9007199254740991': 2 ** 53 - 1,
      '9007199254740992': 2 ** 53,
      '1e22': 1e22,
      '0.0': 0,
      '0e999999': 0,
      '-0.0e-5': 0,
      '100000000000000000000e-20': 1,
      // JavaScript prints these for a double, although the double differs slightly.
      '1e23': 1e23,
      '1.5e300': 1.5e300,
      '123456789012345680000': 123456789012345680000,
      '5e-324': 5e-324,
    }
    for (const [text, value] of Object.entries(kept)) assert.equal(numberIn(text), value, text)
    const changed = [
      '9007199254740993',
      '-9007199254740993',
      '1.00000000000000000001',
      '1e400',
      '-1e400',
      '1e-400',
      '0.1234567890123456789',
      '123456789012345678901',
      '9007199254740992.5',
      '1e99999999999999999999',
    ]
    for (const text of changed) assert.ok(isRefused(text), text)
  })

  test('that is a whole number is accepted in every spelling, and refused if it is slightly off', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(30), (value, zeros) => {
        fc.pre(value !== 0) // slightly off zero is a valid fraction
        for (const text of [
          `${value}`,
          `${value}.${'0'.repeat(zeros + 1)}`,
          `${value}${'0'.repeat(zeros)}e-${zeros}`,
          `${value}E0`,
        ])
          assert.equal(numberIn(text), value + 0, text)
        assert.ok(isRefused(`${value}.${'0'.repeat(zeros + 30)}1`))
      }),
    )
  })

  test('keeps its fraction', () => {
    for (const value of [0.1, 1.5, -2.25e-7, 1234.5678]) assert.equal(numberIn(String(value)), value)
  })

  test('with many digits is cheap to check', () => {
    const started = performance.now()
    parse(`[${'9'.repeat(120_000)}.${'0'.repeat(120_000)}1]`)
    parse(`[${'1e399,'.repeat(40_000)}1]`)
    assert.ok(performance.now() - started < 2_000)
  })
})

test('strings and keys that look like numbers are left unchanged', () => {
  assert.deepEqual(parse('{"9007199254740993":"1e400","a":["9007199254740993"]}'), {
    '9007199254740993': '1e400',
    a: ['9007199254740993'],
  })
})

test('JSON without risky numbers is read as JSON.parse does, even next to a risky one', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false } as object), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/\d[.eE]|\d{16}/.test(text))
      assert.deepEqual(parse(`[${text}]`), JSON.parse(`[${text}]`))
      assert.deepEqual(parse(`[${text},1.0]`), JSON.parse(`[${text},1]`))
    }),
  )
})

describe('canonical JSON', () => {
  const shuffled = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shuffled)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, entry]) => [key, shuffled(entry)]),
          )
        : value

  test('is equal for equal values, and can be parsed back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value))
        assert.equal(canonicalJson(plain), canonicalJson(shuffled(plain)))
        assert.deepEqual(JSON.parse(canonicalJson(plain)), plain)
      }),
    )
  })

  test('differs for different values', () => {
    const apart = [
      { a: 1 },
      { a: '1' },
      { a: null },
      {},
      [],
      [1],
      { a: [1] },
      { a: { 1: 1 } },
      'a',
      null,
      { 'a":1,"b': 1 },
      { a: 1, b: 1 },
      [[], []],
      [[[]]],
    ]
    assert.equal(new Set(apart.map(canonicalJson)).size, apart.length)
  })
})

test('whole numbers are written exactly at any size', () => {
  for (const value of [0n, -1n, 2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n])
    assert.equal(JSON.stringify({ value: wholeNumber(value) }), `{"value":${value}}`)
})

test('our own JSON is rewritten unchanged, however large its numbers', () => {
  const sum = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
  fc.assert(
    fc.property(fc.array(sum), fc.jsonValue(), (sums, value) => {
      const text = `{"sums":[${sums.join(',')}],"value":${JSON.stringify(value)}}`
      assert.equal(JSON.stringify(exactJson(text)), text)
    }),
  )
})
