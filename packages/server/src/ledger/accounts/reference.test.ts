import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstId, lastId } from '../../platform/ids.ts'
import { firstReferenceAt, hasTimestamp, newReference, whereReference } from './reference.ts'

const at = new Date('2026-11-21T10:00:00.000Z')

test('a reference begins with its timestamp and is unique', () => {
  assert.match(newReference(at), /^20261121-100000000-[0-9a-hjkmnp-tv-z]{6}$/)
  assert.equal(new Set(Array.from({ length: 1000 }, () => newReference(at))).size, 1000)
})

const moments: [time: string, first: string][] = [
  ['2026-11-21T10:00:00.000Z', '20261121-100000000'],
  ['2026-11-21T10:00:00.001Z', '20261121-100000001'],
  ['2026-01-02T03:04:05.678Z', '20260102-030405678'],
  ['2026-11-21T23:59:59.999+01:00', '20261121-225959999'],
]
for (const [time, first] of moments)
  test(`the references of ${time} begin with ${first}`, () => {
    const moment = new Date(time)
    assert.equal(firstReferenceAt(moment), first)
    assert.ok(hasTimestamp(newReference(moment), moment))
    assert.ok(!hasTimestamp(newReference(moment), new Date(moment.getTime() + 1)))
  })

const references: [reference: string, isOne: boolean][] = [
  ['20261121-100000000-7k2m9x', true],
  ['20261121-100000000-7k2m9', false],
  ['20261121-100000000-7k2m9xx', false],
  ['20261121-100000000-7K2M9X', false],
  ['20261321-100000000-7k2m9x', false],
  ['20261121-250000000-7k2m9x', false],
  ['', false],
]
for (const [reference, isOne] of references)
  test(`${isOne ? 'lines are' : 'nothing is'} looked up for ${reference || 'an empty text'}`, () =>
    assert.deepEqual(whereReference(reference).values, isOne ? [reference, firstId(at), lastId(at)] : []))
