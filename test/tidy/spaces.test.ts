import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOf } from './sources.ts'
import { hiddenStatements, unscopedStatements } from './spaces.ts'

const tables = new Set(['payouts', 'holds'])
// Interpolated, so that each statement fits on one line.
const scope = `space_id = \${spaceId} and environment = \${environment}`

const statements: [sql: string, fault: string | undefined][] = [
  [`select id from payouts where ${scope}`, undefined],
  [`select id from tokens where id = \${id}`, undefined],
  [`select id from payouts where id = \${id}`, 'names space_id less often than its tables (payouts)'],
  [
    `select id from payouts where space_id = \${spaceId}`,
    'names environment less often than its tables (payouts)',
  ],
  [`update payouts set status = \${status} where ${scope} and id = \${id}`, undefined],
  [`insert into payouts (space_id, environment, id) values (\${a}, \${b}, \${c})`, undefined],
  [
    `insert into payouts (id, space_id, environment) values (\${c}, \${a}, \${b})`,
    'does not compare Space and environment with a value',
  ],
  [
    `select p.id from payouts p join holds h on h.space_id = p.space_id and h.environment = p.environment where p.${scope}`,
    undefined,
  ],
  [
    `select space_id, environment from payouts join holds using (id) where ${scope}`,
    'joins holds without Space and environment',
  ],
  [`select id from payouts join holds using (space_id, environment, id) where ${scope}`, undefined],
  [
    'select id from payouts where space_id = requested.space_id and environment = requested.environment and id = requested.id',
    undefined,
  ],
  ['select id from payouts where id = requested.id', 'names space_id less often than its tables (payouts)'],
  ['select space_id, environment from payouts', 'does not compare Space and environment with a value'],
  [
    `select p.id from unnest(\${a}, \${b}) as given (space_id, environment) join payouts p on p.space_id = given.space_id and p.environment = given.environment`,
    undefined,
  ],
]

for (const [sql, fault] of statements)
  test(`a statement ${fault ?? 'is limited to one Space'}: ${sql}`, () => {
    const source = sourceOf('packages/server/src/money/payouts/store.ts', `await tx.query(sql\`${sql}\`)\n`)
    assert.deepEqual(
      unscopedStatements([source], [], tables),
      fault === undefined ? [] : [`packages/server/src/money/payouts/store.ts:1 ${fault}`],
    )
  })

const anywhere = 'sql`select id from payouts`'

test('a statement may serve every Space if a comment in it or just before it says why', () => {
  const before = sourceOf(
    'packages/server/src/money/payouts/store.ts',
    `// every space: one queue\nawait tx.query(${anywhere})\n`,
  )
  const within = sourceOf(
    'packages/server/src/money/payouts/store.ts',
    'sql`-- every space: one queue\nselect id from payouts`',
  )
  assert.deepEqual(unscopedStatements([before, within], [], tables), [])
})

test('a reason applies only to the next statement, and "every space" alone is not a reason', () => {
  const next = `// every space: one queue\nconst a = ${anywhere}\nconst b = ${anywhere}\n`
  const alone = `// every space\nconst a = ${anywhere}\n`
  const found = unscopedStatements(
    [
      sourceOf('packages/server/src/money/payouts/store.ts', next),
      sourceOf('packages/server/src/money/payouts/jobs.ts', alone),
    ],
    [],
    tables,
  )
  assert.deepEqual(
    found.map((fault) => fault.split(' ')[0]),
    ['packages/server/src/money/payouts/store.ts:3', 'packages/server/src/money/payouts/jobs.ts:2'],
  )
})

test('a proof covers all Spaces, but joins rows within one', () => {
  const all = sourceOf(
    'packages/server/src/money/payouts/checks.ts',
    'sql`select space_id, environment from payouts`',
  )
  const crossing = sourceOf(
    'packages/server/src/money/payouts/checks.ts',
    'sql`select * from payouts join holds using (id)`',
  )
  assert.deepEqual(unscopedStatements([all], [], tables), [])
  assert.equal(unscopedStatements([crossing], [], tables).length, 1)
})

test('the same rules apply to statements in functions created by migrations', () => {
  const migration = sourceOf(
    'packages/server/migrations/0002-functions.sql',
    'create function f() returns void language sql as $$\n  delete from payouts where id = p_id;\n  delete from payouts where space_id = p_space and environment = p_environment;\n$$;\n',
  )
  assert.deepEqual(unscopedStatements([], [migration], tables), [
    'packages/server/migrations/0002-functions.sql:2 names space_id less often than its tables (payouts)',
  ])
})

const hidden: [line: string, fault: string | undefined][] = [
  ["client.query('select * from payouts')", 'from payouts'],
  ["client.query('truncate payouts')", 'truncate payouts'],
  ["client.query('select * from tokens')", undefined],
  ['await tx.query(sql`select * from payouts`)', undefined],
  ['// reads from payouts', undefined],
]

for (const [line, fault] of hidden)
  test(`${fault === undefined ? 'no statement is hidden' : 'a statement is hidden'} in: ${line}`, () => {
    const found = hiddenStatements(
      [sourceOf('packages/server/src/money/payouts/store.ts', `${line}\n`)],
      tables,
    )
    assert.deepEqual(
      found,
      fault === undefined ? [] : [`packages/server/src/money/payouts/store.ts:1 ${fault}`],
    )
  })
