import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { nothing, sql, statementSummary } from './sql.ts'

describe('the sql tag', () => {
  test('turns any values into parameters', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 5 }), (values) => {
        const pieces = ['select ', ...values.map(() => ', ')] as unknown as TemplateStringsArray
        const statement = sql(pieces, ...values)
        assert.equal(statement.text, `select ${values.map((_, i) => `$${i + 1}, `).join('')}`)
        assert.deepEqual(statement.values, values)
      }),
    )
  })

  test('splices statements in and renumbers their parameters', () => {
    const twelve = Array.from({ length: 12 }, (_, i) => i)
    const many = twelve.reduce((inner, i) => sql`${inner}, ${i}`, nothing)
    const statement = sql`select ${'a'}${many} where x = ${'b'} ${sql`and y = ${'c'}`} ${nothing}`
    assert.equal(
      statement.text,
      `select $1${twelve.map((i) => `, $${i + 2}`).join('')} where x = $14 and y = $15 `,
    )
    assert.deepEqual(statement.values, ['a', ...twelve, 'b', 'c'])
  })

  test('gives equal texts the same name, whatever their values, and other texts another', () => {
    assert.equal(sql`select ${1}`.name, sql`select ${2}`.name)
    assert.notEqual(sql`select ${1}`.name, sql`select  ${1}`.name)
    const { name = '' } = sql`select ${1}`
    assert.ok(name.length > 0 && name.length <= 63, 'PostgreSQL truncates longer names')
  })
})

test('the summary of a statement names its first table, or the function that it calls', () => {
  for (const [text, expected] of [
    ['insert into payments (id) values ($1)', 'insert payments'],
    ['with gone as (delete from jobs where id = $1 returning id) select id from gone', 'delete jobs'],
    ['update payments set status = $1', 'update payments'],
    ['insert into a (b) values ($1) on conflict (b) do update set b = 1', 'insert a'],
    ['select id from payments where id = $1 for update', 'select payments'],
    ['select id from payments order by id for update offset 0', 'select payments'],
    ['select id from payments for no key update skip locked', 'select payments'],
    [
      'select * from unnest($1::uuid[]) requested (id) join refunds r on r.id = requested.id',
      'select refunds',
    ],
    [
      `select row.* from unnest($1::uuid[], $2::text[]) with ordinality requested (id, space_id)
        cross join lateral (select id from payments where payments.id = requested.id offset 0) row`,
      'select payments',
    ],
    ['with due as materialized (select id from jobs limit 1) select * from due', 'select jobs'],
    ['with recursive s as (select 1 from spaces union all select 1 from s) select * from s', 'select spaces'],
    ['select chain_books($1, $2, false) as is_more', 'select chain_books'],
    ['select now()', 'select now'],
    ['select $1::int', 'select'],
  ] as const)
    assert.equal(statementSummary(text), expected, text)
})

test('statements beyond the limit of prepared ones still run', async () => {
  const place = await createTestDatabase()
  // In its own process, because names are cached per process.
  const script = `
    import { openDatabase } from './database.ts'
    import { sql, Sql } from './sql.ts'
    const db = openDatabase(${JSON.stringify(place.connection)}, { maxConnections: 1, onIdleError: () => {} })
    for (let i = 0; i < 3000; i++) new Sql('select ' + i, []).name
    const { prepared } = await db.one(sql\`select count(*)::int as prepared from pg_prepared_statements where \${true}::boolean\`)
    const { sum } = await db.one(sql\`select \${2}::int + \${3}::int as sum\`)
    console.log(prepared, sum)
    await db.close()`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '-e', script],
    {
      cwd: import.meta.dirname,
    },
  )
  assert.equal(stdout, '0 5\n')
  await place.drop()
})
