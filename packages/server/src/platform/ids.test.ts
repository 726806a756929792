import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { idKind, newId, randomText, readId, showId, writeId } from './ids.ts'

const payments = idKind('pay')
const kind = fc.constantFrom(payments, idKind('req'), idKind('fac'))
const uuid = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
})
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })

describe('an id', () => {
  test('is parsed back from its public form, for any kind and any bits', () => {
    fc.assert(fc.property(kind, uuid, (name, id) => assert.equal(readId(name, showId(name, id)), id)))
  })

  test('is written to a buffer as its 16 bytes', () => {
    fc.assert(
      fc.property(uuid, (id) => {
        const buffer = Buffer.alloc(18)
        assert.equal(writeId(id, buffer, 1), 16)
        assert.equal(buffer.toString('hex'), `00${id.replaceAll('-', '')}00`)
      }),
    )
  })

  test('is not written if it is not a UUID', () => {
    const id = newId(new Date())
    for (const wrong of [
      '',
      id.slice(1),
      `${id}0`,
      id.replace(/.$/, 'g'),
      id.replace(/^./, 'é'),
      id.replace(/.$/, '-'),
    ])
      assert.throws(() => writeId(wrong, Buffer.alloc(16), 0), /must be a UUID/)
  })

  test('is shown as its prefix and 26 lower-case characters of Crockford’s base32', () => {
    fc.assert(
      fc.property(kind, time, (name, ms) => {
        assert.match(
          showId(name, newId(new Date(ms))),
          new RegExp(`^${name.prefix}-[0-7][0-9a-hjkmnp-tv-z]{25}$`),
        )
      }),
    )
  })

  test('is a version 7 UUID that begins with its time', () => {
    fc.assert(
      fc.property(time, (ms) => {
        const id = newId(new Date(ms))
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), ms)
      }),
    )
  })

  test('sorts by time, in both forms', () => {
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a < b)
        const [early, late] = [newId(new Date(a)), newId(new Date(b))]
        assert.ok(early < late)
        assert.ok(showId(payments, early) < showId(payments, late))
      }),
    )
  })

  test('sorts by creation within a millisecond, even if ids with other times are created in between', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1, 5), { maxLength: 100 }), (offsets) => {
        const made = offsets.map((offset) => ({ offset, id: newId(new Date(1_790_000_000_000 + offset)) }))
        // The counter starts at a random value and wraps around once in 16 million ids, which loses the order
        // at that point.
        fc.pre(countIn(made[0]?.id) <= countIn(made.at(-1)?.id))
        for (const ids of Map.groupBy(made, ({ offset }) => offset).values())
          assert.deepEqual(
            ids,
            ids.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
          )
      }),
    )
  })

  const countIn = (id = '') => Number.parseInt(id.slice(15, 18) + id.slice(19, 23), 16)

  test('is unique, however many are created in a millisecond', () => {
    const at = new Date()
    assert.equal(new Set(Array.from({ length: 50_000 }, () => newId(at))).size, 50_000)
  })
})

describe('text that is not an id of the kind', () => {
  const id = showId(payments, newId(new Date()))
  const body = id.slice(4)
  const wrong = [
    '',
    'pay-',
    body,
    `pyt-${body}`,
    `pay_${body}`,
    id.toUpperCase(),
    `${id}0`,
    id.slice(0, -1),
    ` ${id}`,
    `${id}\n`,
  ]
  for (const text of [
    ...wrong,
    `pay-8${body.slice(1)}`,
    `pay-z${body.slice(1)}`,
    ...[...'ilou-é'].map((letter) => `pay-${body.slice(0, -1)}${letter}`),
  ])
    test(`${JSON.stringify(text)} is refused`, () => assert.equal(readId(payments, text), undefined))

  test('and no text is accepted that would be shown differently', () => {
    fc.assert(
      fc.property(
        kind,
        fc.string({
          unit: fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz'),
          minLength: 26,
          maxLength: 26,
        }),
        (name, text) => {
          const shown = `${name.prefix}-${text}`
          const read = readId(name, shown)
          assert.ok(read === undefined || showId(name, read) === shown)
        },
      ),
    )
  })
})

test('random text has the requested length and alphabet', () => {
  assert.match(randomText(1_000), /^[0-9a-hjkmnp-tv-z]{1000}$/)
  assert.equal(new Set(randomText(1_000)).size, 32)
})
