import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noteOf } from './documents.ts'

test('a note is plain, short and never empty, whatever the description', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (description) => {
      assert.match(noteOf(description), /^[A-Za-z0-9.,:-]([A-Za-z0-9.,: -]{0,158}[A-Za-z0-9.,:-])?$/)
    }),
  )
  assert.equal(noteOf('Café “Fatu’s”, 2 × №1'), 'Cafe Fatu s , 2 No1')
  assert.equal(noteOf('ሰላም'), 'Payment')
})
