import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { wholeNumber } from '@pesewa/values'
import { describe as describeResult, toJson } from './describe.ts'
import { widthOf } from './table.ts'
import { fromNow } from './time-words.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const pipe = new PassThrough()
const terminal = (columns: number) => Object.assign(new PassThrough(), { isTTY: true, columns })
const list = { columns: 'id name amount createTime', empty: 'No things yet.' }
const things = [
  {
    id: 'thg-1',
    name: 'Kofi’s 店',
    amount: { currency: 'SLE', value: 1_500 },
    createTime: ago(3 * 86_400_000),
  },
  { id: 'thg-22', name: 'A', amount: { currency: 'XOF', value: -7 }, createTime: ago(-2 * 3_600_000) },
]

describe('a list as text', () => {
  test('is a table with headings and aligned columns, amounts right-aligned, times in words', () => {
    assert.equal(
      describeResult({ things }, list, pipe, now),
      [
        'ID      NAME          AMOUNT  CREATED',
        'thg-1   Kofi’s 店  SLE 15.00  3 days ago',
        'thg-22  A             XOF -7  in 2 hours',
        '',
      ].join('\n'),
    )
  })

  test('prints a message if it is empty', () => {
    assert.equal(describeResult({ things: [] }, list, pipe, now), 'No things yet.\n')
  })

  test('is fitted to a terminal’s width, but complete in a pipe', () => {
    const long = [{ id: 'thg-1', name: '店'.repeat(60), reason: 'x'.repeat(90) }]
    const columns = 'id name reason'
    const wide = describeResult({ long }, { columns, empty: '' }, pipe, now)
    assert.ok(wide.includes('x'.repeat(90)) && wide.includes('店'.repeat(60)))
    for (const width of [40, 60, 80]) {
      const text = describeResult({ long }, { columns, empty: '' }, terminal(width), now)
      const lines = withoutColour(text).trimEnd().split('\n')
      for (const line of lines) assert.ok(widthOf(line) <= width, `${width}: ${line}`)
      assert.match(lines[1] ?? '', /^thg-1 .*店….*x…$/)
    }
  })

  test('removes line breaks, escape codes and direction marks from untrusted text', () => {
    const hostile = [{ id: 'thg-1', name: 'a\u001b[2J\nthg-2 \u202eb' }]
    const text = describeResult({ hostile }, { columns: 'id name', empty: '' }, pipe, now)
    assert.equal(text, 'ID     NAME\nthg-1  a [2J thg-2  b\n')
  })
})

test('a number column is right-aligned; an empty one is left-aligned', () => {
  const rows = [
    { id: 'a', count: 5, none: null },
    { id: 'b', count: 1_000, none: null },
  ]
  assert.equal(
    describeResult({ rows }, { columns: 'count none id', empty: '' }, pipe, now),
    'COUNT  NONE  ID\n    5  -     a\n 1000  -     b\n',
  )
})

test('one object has a line for each field, with exact and relative times, and tables for its lists', () => {
  const space = {
    id: 'spc-1',
    createTime: ago(60_000),
    scopes: ['a', 'b'],
    none: null,
    fees: [{ rule: '1%' }],
  }
  assert.equal(
    describeResult(space, {}, pipe, now),
    [
      'id:         spc-1',
      'createTime: 2026-11-21T11:59:00.000Z (1 minute ago)',
      'scopes:     a, b',
      'none:       -',
      '',
      'FEES',
      'RULE',
      '1%',
      '',
    ].join('\n'),
  )
})

test('JSON contains exact whole numbers of any size', () => {
  const huge = 123_456_789_012_345_678_901n
  assert.equal(
    toJson({ small: 5n, huge, amount: { currency: 'SLE', value: wholeNumber(huge) }, at: now }),
    `{"small":5,"huge":${huge},"amount":{"currency":"SLE","value":${huge}},"at":"2026-11-21T12:00:00.000Z"}`,
  )
  // The client of the API parses such a number as a `bigint`.
  for (const value of [wholeNumber(huge), huge]) {
    const text = describeResult({ all: [{ amount: { currency: 'SLE', value } }] }, {}, pipe, now)
    assert.equal(text, '                    AMOUNT\nSLE 1234567890123456789.01\n')
  }
})

test('elapsed time uses its largest unit', () => {
  const expected = {
    0: 'just now',
    999: 'just now',
    1000: '1 second ago',
    59499: '59 seconds ago',
    59500: '1 minute ago',
  }
  for (const [ms, words] of Object.entries(expected)) assert.equal(fromNow(ago(Number(ms)), now), words)
  assert.equal(fromNow(ago(-86_400_000), now), 'in 1 day')
  assert.equal(fromNow(ago(400 * 86_400_000), now), '400 days ago')
})

test('wide characters and emoji take two columns, combining marks and joiners none', () => {
  const widths = { a: 1, 店: 2, 한: 2, ｱ: 1, '🦜': 2, 'e\u0301': 1, '👩‍👩‍👧': 2, '\u200b': 0, مرحبا: 5 }
  for (const [text, width] of Object.entries(widths)) assert.equal(widthOf(text), width, text)
})

const withoutColour = (text: string) =>
  text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '')
