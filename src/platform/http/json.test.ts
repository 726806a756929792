import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, exactJson, parseJson, wholeNumber } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const numberIn = (text: string) => (parse(`[${text}]`) as number[])[0]! + 0
const isRefused = (number: string) => Number.isNaN(numberIn(number))

describe('a number in a body', () => {
  test('is read as what comes back, or not at all', () => {
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
      // What JavaScript prints of a double, although the double is not exactly that.
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

  test('that is whole and fits is taken in every spelling, and one that is a hair off in none', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(30), (value, zeros) => {
        fc.pre(value !== 0) // a hair off nothing is a fraction, and kept
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

  test('with a fraction keeps it', () => {
    for (const value of [0.1, 1.5, -2.25e-7, 1234.5678]) assert.equal(numberIn(String(value)), value)
  })

  test('of many digits costs little', () => {
    const started = performance.now()
    parse(`[${'9'.repeat(120_000)}.${'0'.repeat(120_000)}1]`)
    parse(`[${'1e399,'.repeat(40_000)}1]`)
    assert.ok(performance.now() - started < 2_000)
  })
})

test('a text that looks like a number is left alone, and so are keys', () => {
  assert.deepEqual(parse('{"9007199254740993":"1e400","a":["9007199254740993"]}'), {
    '9007199254740993': '1e400',
    a: ['9007199254740993'],
  })
})

test('JSON without risky numbers is read as JSON.parse does, and with one beside it too', () => {
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

  test('is the same text for the same meaning, and reads back as it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value))
        assert.equal(canonicalJson(plain), canonicalJson(shuffled(plain)))
        assert.deepEqual(JSON.parse(canonicalJson(plain)), plain)
      }),
    )
  })

  test('is another text for another meaning', () => {
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

test('whole numbers are written exactly, whatever their size', () => {
  for (const value of [0n, -1n, 2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n])
    assert.equal(JSON.stringify({ value: wholeNumber(value) }), `{"value":${value}}`)
})

test('JSON of ours is written again as it was, whatever its sums', () => {
  const sum = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
  fc.assert(
    fc.property(fc.array(sum), fc.jsonValue(), (sums, value) => {
      const text = `{"sums":[${sums.join(',')}],"value":${JSON.stringify(value)}}`
      assert.equal(JSON.stringify(exactJson(text)), text)
    }),
  )
})
