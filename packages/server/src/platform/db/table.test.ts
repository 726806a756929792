import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import type { Scope } from '../scope.ts'
import * as column from './columns.ts'
import { type Database, openDatabase } from './database.ts'
import { byId, lockEach, selectEach, together } from './lookups.ts'
import { type Scoped, scoped } from './scoped.ts'
import { type Sql, sql } from './sql.ts'
import { describedTables, type RowOf, table } from './table.ts'
import { unnest, unnestScoped } from './unnest.ts'

const things = table('things', ['id'], {
  id: column.uuid,
  kind: column.textOf<'small' | 'large'>(),
  cardLast4: column.orNull(column.text),
  unitCount: column.integer,
  amount: column.orNull(column.bigint),
  isOpen: column.boolean,
  hash: column.bytea,
  names: column.orNull(column.textArray),
  notes: column.json<{ text: string }>(),
  fees: column.orNull(column.jsonb<string[]>()),
  madeAt: column.orNull(column.time),
})
type Thing = RowOf<typeof things>
// A table only for these tests, so it is removed from those that are compared with the database.
describedTables.delete('things')

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 1, onIdleError: () => {} })
  await run(sql`
    create table things (space_id uuid, environment environment, id uuid, kind text not null, card_last4 text,
      unit_count integer, amount bigint, is_open boolean, hash bytea, names text[], notes json default '{"text":"none"}',
      fees jsonb, made_at timestamptz, primary key (space_id, environment, id))`)
})
after(async () => {
  await db.close()
  await place.drop()
})

const run = (statement: Sql) => db.transaction((tx) => tx.run(statement))
const newScope = (environment: Scope['environment']): Scope => ({ spaceId: randomUUID(), environment })

const thing = (scope: Scope, changes: Partial<Thing> = {}): Scoped<Thing> => ({
  scope,
  id: randomUUID(),
  kind: 'large',
  cardLast4: '0042',
  unitCount: -7,
  amount: 2n ** 62n,
  isOpen: true,
  hash: Buffer.from([0, 255]),
  names: ['plain', '', 'a "quote", a \\ and {braces}', 'NULL'],
  notes: { text: "it's" },
  fees: ['1', '2'],
  madeAt: new Date('2026-02-28T23:59:59.999Z'),
  ...changes,
})

const without = ({ scope: _, ...row }: Scoped<Thing>) => row

/** Every nullable column, set to null. */
const none = { cardLast4: null, amount: null, names: null, fees: null, madeAt: null }

const ofSpaces = async (...scopes: Scope[]) => {
  const rows = await db.query<Thing & Scope>(sql`
    select space_id, environment, ${things.columns} from things
    where space_id = any(${scopes.map(({ spaceId }) => spaceId)}::uuid[])`)
  return new Map(rows.map((row) => [row.id, scoped(row)]))
}

test('rows of many Spaces are inserted completely and read back unchanged', async () => {
  const scopes = [newScope('test'), newScope('live')]
  const rows = scopes.flatMap((scope) => [
    thing(scope),
    thing(scope, { ...none, kind: 'small', isOpen: false }),
  ])
  assert.equal(await run(things.insert(rows)), 4)
  assert.deepEqual(await ofSpaces(...scopes), new Map(rows.map((row) => [row.id, row])))
  assert.equal(await run(things.insert([])), 0)
})

test('an upsert inserts new rows completely, and updates only the given columns of existing ones', async () => {
  const scope = newScope('test')
  const kept = thing(scope)
  await run(things.insert([kept]))
  const changed = { ...kept, kind: 'small' as const, notes: { text: 'changed' }, unitCount: 8, names: null }
  const added = thing(scope)
  await run(things.upsert('names', 'notes')([changed, added]))
  assert.deepEqual((await ofSpaces(scope)).get(kept.id), { ...kept, notes: changed.notes, names: null })
  assert.deepEqual((await ofSpaces(scope)).get(added.id), added)
})

test('an update changes only the given columns, and only rows of the same Space', async () => {
  const [scope, other] = [newScope('test'), newScope('test')]
  const [mine, theirs] = [thing(scope), thing(other)]
  await run(things.insert([mine, theirs]))
  const changed = {
    scope,
    id: mine.id,
    kind: 'small' as const,
    fees: null,
    cardLast4: '1111',
    names: ['one'],
  }
  assert.equal(
    await run(things.update('kind', 'fees', 'cardLast4', 'names')([changed, { ...changed, id: theirs.id }])),
    1,
  )
  assert.deepEqual(
    await ofSpaces(scope, other),
    new Map<string, object>([
      [mine.id, { ...mine, ...changed }],
      [theirs.id, theirs],
    ]),
  )
})

test("an omitted column keeps the table's default", async () => {
  const scope = newScope('live')
  const { notes: _, names: __, ...row } = thing(scope)
  await run(things.without('notes', 'names').insert([row]))
  assert.deepEqual((await ofSpaces(scope)).get(row.id), { ...row, notes: { text: 'none' }, names: null })
})

test('pieces can be spliced into handwritten statements', async () => {
  const scope = newScope('test')
  const row = thing(scope)
  const written = await db.transaction((tx) =>
    tx.query(sql`
      insert into things (${things.names}) select ${things.values} from ${things.rows([row])}
      on conflict (space_id, environment, id) do update set ${things.excluded('kind')}
      returning ${things.columnsOf('things')}`),
  )
  assert.deepEqual(
    written.map((one) => ({ ...one, scope })),
    [row],
  )
})

test('rows of many keys are read only from their own Spaces, with the key’s columns added', async () => {
  const [scope, other] = [newScope('test'), newScope('live')]
  const rows = [thing(scope), thing(scope, { kind: 'small' }), thing(other)]
  await run(things.insert(rows))
  const keys = [...rows, { ...rows[0]!, scope: other }]
  assert.deepEqual(await selectEach(db, byId(keys), things.requested), rows)
  const byKind = unnestScoped({ kind: column.text, atLeast: column.integer })
  const ofKind = sql`
    select id, requested.at_least from things
    where space_id = requested.space_id and environment = requested.environment and kind = requested.kind`
  assert.deepEqual(await selectEach(db, byKind([{ scope, kind: 'small', atLeast: 3 }]), ofKind), [
    { scope, id: rows[1]!.id, atLeast: 3 },
  ])
})

test('several rows of a key are read together, each under its name, and a missing one is undefined', async () => {
  const scope = newScope('test')
  const [row, other] = [thing(scope), thing(scope, none)]
  await run(things.insert([row, other]))
  const reads = together({
    itself: things.requested,
    first: sql`
      select id, kind from things where space_id = requested.space_id and environment = requested.environment
      order by id limit 1`,
    noOther: sql`${things.requested} and kind = 'small'`,
  })
  const unknown = randomUUID()
  const [first] = [row.id, other.id].sort()
  const found = await selectEach(db, byId([row, other, { scope, id: unknown }]), reads)
  const rows = { [row.id]: row, [other.id]: other }
  const expected = [row.id, other.id, unknown].map((id) => ({
    scope,
    itself: rows[id] && without(rows[id]),
    first: { id: first, kind: 'large' },
    noOther: undefined,
  }))
  assert.deepEqual(found, expected)
})

test('rows are locked once each and in a fixed order, whatever order they are given in', async () => {
  const scope = newScope('test')
  const rows = [thing(scope), thing(scope)].sort((one, other) => (one.id < other.id ? -1 : 1))
  await run(things.insert(rows))
  const named = [...rows, ...rows].reverse()
  assert.deepEqual(await db.transaction((tx) => lockEach(tx, named, things.requested)), rows)
})

test('a statement has the same text for any number of rows or keys', () => {
  const scope = newScope('test')
  for (const write of [things.upsert('kind'), byId])
    assert.equal(write([]).text, write([thing(scope), thing(scope)]).text)
})

test('values that are not table rows are available under their names', async () => {
  const numbered = unnest({
    place: column.integer,
    environment: column.environment,
    text: column.orNull(column.text),
  })
  const values = [
    { place: 0, environment: 'live' as const, text: null },
    { place: 1, environment: 'test' as const, text: 'one' },
  ]
  assert.deepEqual(await db.query(sql`select requested.* from ${numbered(values)}`), values)
})
