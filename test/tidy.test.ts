import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { protocolNames } from '../packages/server/src/rails/connections/protocols.ts'
import { settingDefinitions } from '../packages/server/src/slices.ts'
import { documentsOf, openForDocuments } from '../scripts/documents.ts'
import { createTestDatabase } from './support/database.ts'
import { assertionIssues } from './tidy/assertions.ts'
import { circlesOf } from './tidy/circles.ts'
import { machineClockReads } from './tidy/clock.ts'
import { misplacedStatements } from './tidy/home.ts'
import { floatingPointMoney } from './tidy/money.ts'
import { homeTables } from './tidy/owners.ts'
import { packageIssues } from './tidy/packages.ts'
import { environmentReads, settingIssues } from './tidy/settings.ts'
import { findIn, importsOf, readSource, root, sourcesOf } from './tidy/sources.ts'
import { hiddenStatements, unscopedStatements } from './tidy/spaces.ts'
import { definitionsOf, ownerIssues, sqlOutOfOrder } from './tidy/sql-order.ts'
import { excusedWithoutSql, foreignStoreWrites, sqlOutsideStores } from './tidy/stores.ts'
import {
  type ForeignKey,
  foreignKeysAcrossSpaces,
  isOfSpaces,
  keysWithoutScope,
  type PrimaryKey,
} from './tidy/tables.ts'
import { sharedTypeNames } from './tidy/unique-types.ts'

// Tests of the style guide. Each reported line is either fixed or excused, with a reason, beside the rule. A
// rule is a function in tidy/ that returns the issues, and the test beside it shows that violations are found.

/** Programs that run elsewhere: in a browser or at a merchant. */
const clients = /^packages\/(?:console|sdk)\//

const sources = [
  ...sourcesOf('packages', '.ts').filter(({ path }) => !clients.test(path)),
  ...sourcesOf('scripts', '.ts', '.mjs'),
  ...sourcesOf('test', '.ts'),
  ...sourcesOf('bench', '.ts'),
]
const program = sources.filter(({ path, isTest }) => path.startsWith('packages/') && !isTest)
const migrations = sourcesOf('packages/server/migrations', '.sql')
const schema = definitionsOf(readSource('packages/server/schema.sql'))

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
let scopedTables: Set<string>
before(async () => {
  database = await createTestDatabase({ template: 'pesewa_schema' })
  client = new pg.Client(database.connection)
  await client.connect()
  scopedTables = new Set((await primaryKeys()).map(({ name }) => name).filter(isOfSpaces))
})
after(async () => {
  await client.end()
  await database.drop()
})

test('SQL names only tables and functions of its own slice and earlier ones, and writes only its own', () => {
  assertNone(sqlOutOfOrder(program, schema))
})

test('a slice writes another slice’s rows only through the functions that are meant for it', () => {
  assertNone(foreignStoreWrites(program))
})

test('SQL on tables is in stores and checks, with few exceptions', () => {
  assertNone(sqlOutsideStores(program))
  assertNone(excusedWithoutSql(program))
})

test('tables of home are written in transactions at home, and all others in cells', () => {
  assertNone(misplacedStatements(program, homeTables))
})

test('every table and SQL function belongs to one slice', () => {
  assertNone(ownerIssues(schema))
})

test('files and folders side by side have no circular imports, at any depth', () => {
  // .dependency-cruiser.mjs only finds circles of files. Files in packages/sdk/src/generated are at different levels, so
  // each counts as a folder of its own.
  const flat = (file: string) => file.replace('packages/sdk/src/generated/', 'packages/sdk/src/generated-')
  const modules = [
    ...program,
    ...sourcesOf('packages/console/src', '.ts', '.tsx'),
    ...sourcesOf('packages/sdk/src', '.ts'),
  ]
  const imports = modules
    .filter(({ isTest }) => !isTest)
    .map((source): [string, string[]] => [
      flat(source.path),
      importsOf(source).flatMap(({ file }) => (file && /\.tsx?$/.test(file) ? [flat(file)] : [])),
    ])
  assertNone(circlesOf(new Map(imports)))
})

test('a protocol’s name appears only once, in its own folder', () => {
  const issues = protocolNames.flatMap((name) => {
    const places = program.flatMap((source) => findIn(source, new RegExp(`(['"\`])${name}\\1`, 'g')))
    const own = new RegExp(`^packages/rails/${name}/protocol\\.ts:`)
    return places.length === 1 && own.test(places[0]!.at) ? [] : [`${name}: ${places.map(({ at }) => at)}`]
  })
  assertNone(issues)
})

test('every statement on a table of Spaces names Space and environment, or says why it serves every Space', () => {
  assertNone(unscopedStatements(program, migrations, scopedTables))
})

test('SQL on tables of Spaces is always in a sql`…` template, where the rule above can see it', () => {
  assertNone(hiddenStatements(program, scopedTables))
})

test('every table, with few exceptions, begins its primary key with Space and environment', async () => {
  assertNone(keysWithoutScope(await primaryKeys(), migrations))
})

test('no foreign key crosses a Space', async () => {
  assertNone(foreignKeysAcrossSpaces(await foreignKeys(), migrations))
})

test('domain time comes from the Space’s clock, in code and in SQL', () => {
  assertNone(machineClockReads(program))
})

test('money is never a floating-point number', () => {
  assertNone(floatingPointMoney(program))
})

test('type assertions are rare and have a reason', () => {
  assertNone(assertionIssues(program))
})

test('the names of exported types are unique', () => {
  assertNone(sharedTypeNames(program))
})

test('every setting is read, and its example is its default if it has one', () => {
  assertNone(settingIssues(settingDefinitions, program))
})

test('environment variables are read only through the settings', () => {
  assertNone(environmentReads(program))
})

test('every imported package is pinned exactly in package.json', () => {
  const { devDependencies, ...manifest } = manifestOf('package.json')
  assertNone(
    packageIssues(
      sources.filter(({ path }) => !path.startsWith('packages/')),
      { ...manifest, devDependencies: { ...devDependencies, ...ownPackages() } },
    ),
  )
})

test('each package names what it imports in its own package.json', () => {
  const { devDependencies } = manifestOf('package.json')
  const inPackages = sources.filter(({ path }) => path.startsWith('packages/'))
  for (const [folder, own] of Map.groupBy(inPackages, ({ path }) => path.split('/', 2).join('/'))) {
    const file = `${folder}/package.json`
    // Tests may use whatever the repository has.
    const manifest = { ...manifestOf(file), devDependencies: { ...devDependencies, ...ownPackages() } }
    assertNone(packageIssues(own, manifest, file))
  }
})

test('generated files are up to date; npm run write updates them', async () => {
  const source = await openForDocuments(database.connection)
  try {
    const stale = (await documentsOf(source)).filter(({ file, text }) => text !== readOrNothing(file))
    assertNone(stale.map(({ file }) => `${file}:1`))
  } finally {
    await source.close()
  }
})

/** The packages of this repository, which npm links. */
const ownPackages = (): Record<string, string> =>
  Object.fromEntries(
    globSync('packages/*/package.json', { cwd: root })
      .map(manifestOf)
      .map(({ name, version }) => [name, version]),
  )

const manifestOf = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

function assertNone(issues: string[]): void {
  assert.equal(issues.length, 0, `\n  ${issues.join('\n  ')}\n`)
}

async function primaryKeys(): Promise<PrimaryKey[]> {
  const { rows } = await client.query<PrimaryKey>(
    `select t.relname as name, array(
       select a.attname::text from unnest(i.indkey) with ordinality as k (attnum, ord)
       join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum order by k.ord) as columns
     from pg_class t left join pg_index i on i.indrelid = t.oid and i.indisprimary
     where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace order by 1`,
  )
  return rows
}

async function foreignKeys(): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  return rows
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(path.join(root, file), 'utf8')
  } catch {
    return undefined
  }
}
