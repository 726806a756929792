import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/refusals.ts'
import { readMapping, simulatorMapping } from './mapping.ts'

const columns = { id: 'No', time: 'Date', amount: 'Amount', direction: 'Type' }
const whole = { columns, currency: 'SLE', directions: { collection: ['in'] } }
const { direction: _, ...signed } = columns

const good: [what: string, mapping: object][] = [
  ['only the required fields', whole],
  ['the simulator’s format', simulatorMapping],
  ['directions by sign', { ...whole, columns: signed, directions: 'sign' }],
  ['a currency column', { columns: { ...columns, currency: 'Cur' }, directions: whole.directions }],
  ['a custom time format', { ...whole, times: { format: 'DD/MM/YYYY HH:mm', offset: '+00:00' } }],
  ['decimal commas', { ...whole, amounts: { decimal: ',', group: '.' } }],
]

for (const [what, mapping] of good)
  test(`a mapping may have ${what}`, () => {
    assert.deepEqual(readMapping(JSON.stringify(mapping)), mapping)
  })

const bad: [text: string, error: RegExp][] = [
  ['', /^is not valid JSON$/],
  ['{', /^is not valid JSON$/],
  ['[]', /object/],
  ['{}', /required|columns/],
  [JSON.stringify({ ...whole, columns: signed }), /needs either columns\.direction or directions: "sign"/],
  [JSON.stringify({ ...whole, directions: 'sign' }), /needs either columns\.direction or directions: "sign"/],
  [JSON.stringify({ columns, directions: whole.directions }), /needs either columns\.currency or currency/],
  [
    JSON.stringify({ ...whole, columns: { ...columns, currency: 'Cur' } }),
    /needs either columns\.currency or currency/,
  ],
  [JSON.stringify({ columns, currency: 'SLE' }), /needs directions/],
  [JSON.stringify({ ...whole, currency: 'sle' }), /^currency /],
  [JSON.stringify({ ...whole, colums: {} }), /colums is not a known field/],
  [JSON.stringify({ ...whole, columns: { ...columns, id: '' } }), /^columns\.id /],
  [JSON.stringify({ ...whole, delimiter: 'x' }), /^delimiter /],
  [JSON.stringify({ ...whole, headingsLine: 0 }), /^headingsLine /],
  [
    JSON.stringify({ ...whole, times: { format: 'DD/MM' } }),
    /times\.format must contain YYYY, MM and DD, and each part only once/,
  ],
  [JSON.stringify({ ...whole, times: { format: 'YYYY-MM-DD DD' } }), /each part only once/],
  [JSON.stringify({ ...whole, times: { offset: '+15:00' } }), /^times\.offset /],
  [JSON.stringify({ ...whole, amounts: { group: '.' } }), /amounts\.group and amounts\.decimal must differ/],
]

for (const [text, error] of bad)
  test(`a mapping is refused, ${error}: ${text.slice(0, 120)}`, () => {
    assert.throws(
      () => readMapping(text),
      (refusal) => {
        assert.ok(refusal instanceof Refusal)
        assert.deepEqual([refusal.reason, refusal.details[0]?.param], ['arguments_invalid', 'mapping'])
        assert.match(refusal.details[0]!.errors[0]!, error)
        return true
      },
    )
  })
