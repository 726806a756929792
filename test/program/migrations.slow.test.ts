import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, test } from 'node:test'
import pg from 'pg'
import { migrate, ownMigrations, readMigration } from '../../packages/server/src/platform/db/migrate.ts'
import { previousRelease } from '../support/previous-release.ts'
import { makeDatabase } from '../support/program.ts'

// The schema of this release has everything that the previous release needs.

type Connection = Awaited<ReturnType<typeof makeDatabase>>['connection']

const folder = 'packages/server/migrations'
const ours = ownMigrations()
/** The migrations of the previous release, by number. */
let theirs: Map<number, string>
let newest: number
before(() => {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' })
  const names = git('ls-tree', '--name-only', previousRelease(), `${folder}/`).trim().split('\n')
  theirs = new Map(
    names.map((name) => [
      Number(name.slice(folder.length + 1, folder.length + 5)),
      git('show', `${previousRelease()}:${name}`),
    ]),
  )
  newest = Math.max(...theirs.keys())
})

test('the migrations of the previous release have not changed', () => {
  for (const [version, text] of theirs)
    assert.equal(ours.find((one) => one.version === version)?.checksum, readMigration(version, text).checksum)
})

test('later migrations work with the previous release', () => {
  for (const { version, name, oldestRelease } of ours)
    if (!theirs.has(version))
      assert.ok(oldestRelease <= newest, `${name} does not work with the previous release`)
})

test('later migrations that declare no oldest release remove and change nothing', async () => {
  const { connection } = await makeDatabase({ isEmpty: true })
  const applied = ours.filter(({ version }) => theirs.has(version))
  await migrate(connection, applied)
  for (const migration of ours.filter(({ version }) => !theirs.has(version))) {
    const before = await readSchema(connection)
    applied.push(migration)
    await migrate(connection, applied)
    if (migration.oldestRelease === 0)
      assert.deepEqual(incompatibilities(before, await readSchema(connection)), [], migration.name)
  }
})

test('removals and changes are detected, and additions are not', async () => {
  const { connection } = await makeDatabase()
  const before = await readSchema(connection)
  for (const [statement, expected] of [
    ['alter table brands drop column color', /brands\.color/],
    ['alter table brands alter column color type varchar(9)', /brands\.color/],
    ['alter table brands alter column color set not null', /brands\.color/],
    ['alter table brands add column tint text not null', /brands\.tint/],
    ['alter table brands rename to looks', /brands\.color/],
    ['drop function event_id', /event_id/],
    ["alter type environment rename value 'test' to 'trial'", /environment 'test'/],
    ["alter table brands add column tint text not null default ''", undefined],
    ['create table looks (id uuid primary key)', undefined],
  ] as const) {
    // In one transaction, which is rolled back.
    const after = await readSchema(connection, statement)
    const found = incompatibilities(before, after).join('\n')
    if (expected) assert.match(found, expected, statement)
    else assert.equal(found, '', statement)
  }
})

type Part = { name: string; is: string; mustBeGiven: boolean }

/** Reads the columns, functions and values of enums, optionally after a statement that is rolled back. */
async function readSchema(connection: Connection, statement = 'select 1'): Promise<Part[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(`begin; ${statement}`)
    return (await client.query<Part>(parts)).rows
  } finally {
    await client.end()
  }
}

const parts = `
  select attrelid::regclass || '.' || attname as name, format_type(atttypid, atttypmod) || attidentity::text as is,
    attnotnull and not atthasdef and attidentity = '' as "mustBeGiven"
  from pg_attribute join pg_class on attrelid = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and attnum > 0 and not attisdropped
  union all
  select oid::regprocedure::text, pg_get_function_result(oid), false from pg_proc
  where pronamespace = 'public'::regnamespace
  union all
  select enumtypid::regtype || ' ' || quote_literal(enumlabel), '', false from pg_enum`

/** Returns what the release of the earlier schema would miss in the later one, or could not insert. */
function incompatibilities(before: Part[], after: Part[]): string[] {
  const [former, present] = [before, after].map((all) => new Map(all.map((part) => [part.name, part])))
  const tables = new Set(before.map(({ name }) => name.split('.')[0]))
  return [
    ...before
      .filter(({ name, is }) => present?.get(name)?.is !== is)
      .map(({ name }) => `${name} is missing or changed`),
    ...after
      .filter(
        ({ name, mustBeGiven }) =>
          mustBeGiven && !former?.get(name)?.mustBeGiven && tables.has(name.split('.')[0]),
      )
      .map(({ name }) => `${name} needs a value`),
  ]
}
