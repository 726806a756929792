import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nothing, sql } from './sql.ts'

describe('the sql tag', () => {
  test('turns values into parameters, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 5 }), (values) => {
        const pieces = ['select ', ...values.map(() => ', ')] as unknown as TemplateStringsArray
        const statement = sql(pieces, ...values)
        assert.equal(statement.text, `select ${values.map((_, i) => `$${i + 1}, `).join('')}`)
        assert.deepEqual(statement.values, values)
      }),
    )
  })

  test('splices statements in and counts their parameters on', () => {
    const twelve = Array.from({ length: 12 }, (_, i) => i)
    const many = twelve.reduce((inner, i) => sql`${inner}, ${i}`, nothing)
    const statement = sql`select ${'a'}${many} where x = ${'b'} ${sql`and y = ${'c'}`} ${nothing}`
    assert.equal(
      statement.text,
      `select $1${twelve.map((i) => `, $${i + 2}`).join('')} where x = $14 and y = $15 `,
    )
    assert.deepEqual(statement.values, ['a', ...twelve, 'b', 'c'])
  })

  test('names equal texts alike, whatever their values, and others apart', () => {
    assert.equal(sql`select ${1}`.name, sql`select ${2}`.name)
    assert.notEqual(sql`select ${1}`.name, sql`select  ${1}`.name)
    assert.ok(sql`select ${1}`.name.length <= 63, 'PostgreSQL cuts longer names')
  })
})
