import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { documentsOf, openForDocuments } from '../scripts/documents.ts'
import { settingDefinitions } from '../src/slices.ts'
import { createTestDatabase } from './database.ts'
import { circlesOf } from './tidy/circles.ts'
import { folderOrder } from './tidy/order.ts'
import { scopeFault } from './tidy/scope.ts'
import { findIn, importsOf, lineAt, root, type Source, sourcesOf } from './tidy/sources.ts'
import { functionStatementsOf, statementsOf, withoutStatements } from './tidy/statements.ts'

// The style guide as a test: what it says by file and line is either mended or decided otherwise here, with a reason.

/**
 * Tables that belong to no Space. Those of the simulator play the outside world; one sequencer serves all Spaces; a
 * phone that dials or is asked belongs to none, and finds its Space by a directory of digits; a statement is of the operator's
 * account at a provider, which all Spaces share.
 */
const tablesWithoutSpace =
  /^(?:schema_migrations|spaces|users|members|tokens|proofs|event_sequencer|event_partitions|payment_code_numbers|simulator_\w+|asked_phones|ussd_phones|ussd_sessions|ussd_otp_numbers|statements|statement_lines)$/

/** Where the machine's clock is right. Everything else goes by the Space's clock, which a test may move. */
const realTime: Record<string, string> = {
  'src/platform/': 'the machine: requests, limits, jobs, and the Space clock itself',
  'src/spaces/': 'Spaces, users and tokens are the operator’s and outlive any move of a test clock',
  'src/simulator/engine/clock.ts': 'the rail is an outside party',
  'src/providers/protocols/rest/report.ts': 'a rail signs by its own clock',
  'src/test-clock/routes.ts': 'a test clock is told as what it is ahead of',
  'src/events/webhooks/dispatcher.ts': 'what is due is judged by each Space’s clock, in SQL',
  'src/events/webhooks/looks.ts': 'when this machine is to look again',
  'src/events/webhooks/lane.ts': 'when this machine is to look again',
  'src/events/webhooks/message.ts': 'receivers compare the signed time with theirs',
  'src/events/partitions.ts': 'how long events are kept is the operator’s affair',
  'src/books/liveness-checks.ts':
    'a proof reckons each Space’s clock from the database’s, over all Spaces at once',
  'src/instructions/checks.ts':
    'a proof reckons each Space’s clock from the database’s, over all Spaces at once',
  'src/books/proofs.ts': 'proofs are the operator’s, over all Spaces at once',
  'src/cli/operator/reconcile-actions.ts': 'statements are the operator’s, and so is how old an open item is',
  'src/cli/operator/verify-command.ts': 'the operator says how long ago',
  'src/checkout/page-routes.ts': 'limits on requests protect the machine',
  'src/payments/prompt-store.ts': 'a phone that is asked belongs to no Space',
  'src/ussd/phones.ts': 'wrong dials of a phone that no Space asked for anything are the machine’s affair',
  'src/ussd/dialogue.ts': 'until a code is found there is no Space whose clock it could be',
  'src/ussd/jobs.ts': 'how long a network may repeat a step is no Space’s affair',
  'src/cli/developer/forwarding.ts': 'a receiver holds the time of a signature against its own clock',
}

const sources = [
  ...sourcesOf('src', '.ts'),
  ...sourcesOf('scripts', '.ts', '.mjs'),
  ...sourcesOf('test', '.ts'),
  ...sourcesOf('bench', '.ts'),
]
const program = sources.filter(({ path, isTest }) => path.startsWith('src/') && !isTest)
const migrations = sourcesOf('migrations', '.sql')

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
let scopedTables: Set<string>
before(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.connection)
  await client.connect()
  scopedTables = new Set(
    (await primaryKeys()).filter(({ name }) => !tablesWithoutSpace.test(name)).map(({ name }) => name),
  )
})
after(async () => {
  await client.end()
  await database.drop()
})

test('a folder imports itself and earlier ones only', () => {
  const faults = program.flatMap((source) => {
    const rank = rankOf(source.path)
    if (rank === undefined) return [`${source.path}:1 stands in a folder that has no place in the order`]
    return importsOf(source)
      .filter(({ file }) => file !== undefined && (rankOf(file) ?? Number.POSITIVE_INFINITY) > rank)
      .map(({ at, specifier }) => `${at} imports ${specifier}, which comes later`)
  })
  assertNone(faults)
})

test('no parts of a folder import each other in a circle, at any depth', () => {
  const imports = program.map((source): [string, string[]] => [
    source.path,
    importsOf(source).flatMap(({ file }) => (file?.endsWith('.ts') ? [file] : [])),
  ])
  assertNone(circlesOf(new Map(imports)))
})

test('a store is imported only in its own slice', () => {
  const faults = program.flatMap((source) =>
    importsOf(source)
      .filter(({ file }) => file && /(^|-)store\.ts$/.test(path.basename(file)))
      .filter(({ file }) => sliceOf(file!) !== sliceOf(source.path))
      .map(({ at, specifier }) => `${at} imports ${specifier}, which is private to its slice`),
  )
  assertNone(faults)
})

test('every statement on a table of Spaces names Space and environment, or says why it serves every Space', () => {
  const inCode = program.flatMap((source) =>
    statementsOf(source).map((statement) => ({ ...statement, isProof: source.path.endsWith('checks.ts') })),
  )
  const inFunctions = migrations.flatMap(functionStatementsOf)
  const faults = [
    ...inCode,
    ...inFunctions.map((statement) => ({ ...statement, before: '', isProof: false })),
  ]
    .filter(({ sql, before }) => !/every space: ./.test(before + sql))
    .map(({ at, sql, isProof }) => ({ at, fault: scopeFault(sql, scopedTables, isProof) }))
    .filter(({ fault }) => fault !== undefined)
    .map(({ at, fault }) => `${at} ${fault}`)
  assertNone(faults)
})

test('SQL on a table of Spaces stands in sql`…` only, where the rule above sees it', () => {
  const verb = /\b(?:from|join|into|update|truncate|table)\s+(\w+)/gi
  const faults = program
    .flatMap((source) => findIn(withoutStatements(source), verb))
    .filter(({ match }) => scopedTables.has(match[1]!))
    .map(({ at, match }) => `${at} ${match[0]}`)
  assertNone(faults)
})

test('every table but a few begins its primary key with Space and environment', async () => {
  const faults = (await primaryKeys())
    .filter(({ name }) => !tablesWithoutSpace.test(name))
    .filter(({ columns }) => columns[0] !== 'space_id' || columns[1] !== 'environment')
    .map(({ name, columns }) => `${migrationOf(name)} ${name} has the key (${columns.join(', ')})`)
  assertNone(faults)
})

test('no foreign key crosses a Space', async () => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const faults = rows
    .filter(
      ({ name, definition }) =>
        !tablesWithoutSpace.test(name) && !/^FOREIGN KEY \(space_id, environment,/.test(definition),
    )
    .map(({ name, definition }) => `${migrationOf(name)} ${name}: ${definition}`)
  assertNone(faults)
})

test('domain time comes from the Space’s clock, in code and in SQL', () => {
  const domain = program.filter(
    ({ path }) => !Object.keys(realTime).some((allowed) => path.startsWith(allowed)),
  )
  const inCode = domain.flatMap((source) =>
    findIn(source, /\bDate\.now\(\)|\bnew Date\(\)/g).map(({ at, match }) => `${at} ${match[0]}`),
  )
  const inSql = domain.flatMap((source) =>
    statementsOf(source)
      .filter(({ sql }) =>
        /\b(?:now|clock_timestamp|statement_timestamp)\(\)|\bcurrent_(?:timestamp|date)\b/i.test(sql),
      )
      .map(({ at, sql }) => `${at} ${firstLine(sql)}`),
  )
  assertNone([...inCode, ...inSql])
})

test('money is never a floating point number', () => {
  const rounding = /\b(?:parseFloat|Math\.(?:round|floor|ceil|trunc))\(|\.to(?:Fixed|Precision)\(/g
  const narrowing = /\bNumber\([^()\n]*(?:amount|balance|posted|held|fee|total|minor|price)[^()\n]*\)/gi
  const money = program.filter(
    ({ path }) =>
      /^src\/(?!platform|spaces|events|books|cli)[^/]+\//.test(path) && !/\/color\.ts$/.test(path),
  )
  const faults = [
    ...money.flatMap((source) => findIn(source, rounding)),
    ...program.flatMap((source) => findIn(source, narrowing)),
  ]
  assertNone(faults.map(({ at, match }) => `${at} ${match[0]}`))
})

test('nothing is any, and nothing is left to do later', () => {
  const asAny = program.flatMap((source) => findIn(source, /:\s*any\b(?!\()|\bas any\b|<any>|\bany\[\]/g))
  const leftOver = sources.flatMap((source) =>
    // So written that this line is none itself.
    [...source.text.matchAll(/\b(?:T[O]DO|F[I]XME)\b/g)].map((match) => ({
      at: `${source.path}:${lineAt(source.text, match.index)}`,
      match,
    })),
  )
  assertNone([...asAny, ...leftOver].map(({ at, match }) => `${at} ${match[0]}`))
})

test('files are nouns in kebab-case', () => {
  const faults = [...sources, ...migrations]
    .map(({ path }) => path)
    .filter(
      (file) =>
        !file.split('/').every((part) => /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z]+)*$/.test(part)) ||
        /\b(?:utils?|helpers?|common|managers?|service|misc)\b/.test(file),
    )
  assertNone(faults.map((file) => `${file}:1`))
})

test('every setting is read, and its example is its default where it has one', () => {
  const faults = Object.entries(settingDefinitions).flatMap(([key, { name, example, parse }]) => {
    const at = whereIs(`'${name}'`)
    const destructured = new RegExp(
      `\\{[^{}]*\\b${key}\\b[^{}]*\\}\\s*(?:=\\s*[\\w.]*settings\\b|:\\s*\\w*Settings\\b)`,
    )
    const isRead = program.some(
      ({ text }) => new RegExp(`\\b(?:settings|given)\\??\\.${key}\\b`).test(text) || destructured.test(text),
    )
    const standard = parse(undefined)
    const hasDefault = standard !== undefined && !(Array.isArray(standard) && standard.length === 0)
    return [
      ...(isRead ? [] : [`${at} ${name} is read nowhere`]),
      ...(hasDefault && parse(example) !== standard
        ? [`${at} ${name} shows ${example} but means ${standard}`]
        : []),
    ]
  })
  assertNone(faults)
})

test('nothing of the environment is read but through the settings', () => {
  const faults = program
    .flatMap((source) => findIn(source, /(?<!readSettings\()\bprocess\.env\b/g))
    .map(({ at }) => `${at} process.env`)
  assertNone(faults)
})

test('every package that is imported is pinned exactly in package.json', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  const runtime: Record<string, string> = { ...dependencies, ...optionalDependencies }
  const all: Record<string, string> = { ...runtime, ...devDependencies }
  const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
  const unknown = sources.flatMap((source) =>
    importsOf(source)
      .filter(({ file, specifier }) => !file && !isBuiltin(specifier))
      .filter(({ specifier }) => !(isShipped(source) ? runtime : all)[packageOf(specifier)])
      .map(({ at, specifier }) => `${at} imports ${specifier}`),
  )
  assertNone([...loose.map(([name, version]) => `package.json:1 ${name} is ${version}`), ...unknown])
})

test('what is written by code is fresh; npm run write does it', async () => {
  const source = await openForDocuments(database.connection)
  try {
    const stale = (await documentsOf(source)).filter(({ file, text }) => text !== readOrNothing(file))
    assertNone(stale.map(({ file }) => `${file}:1`))
  } finally {
    await source.close()
  }
})

function assertNone(faults: string[]): void {
  assert.equal(faults.length, 0, `\n  ${faults.join('\n  ')}\n`)
}

/** A later folder has a higher rank. */
function rankOf(file: string): number | undefined {
  if (file === 'src/main.ts') return folderOrder.length
  const rank = folderOrder.indexOf(sliceOf(file) ?? '')
  return rank < 0 ? undefined : rank
}

/** The folder of src/ that a file stands in, however deep. */
function sliceOf(file: string): string | undefined {
  const [top, folder, ...rest] = file.split('/')
  if (top !== 'src') return undefined
  return rest.length === 0 ? 'wiring' : folder
}

async function primaryKeys(): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select t.relname as name, array(
       select a.attname::text from unnest(i.indkey) with ordinality as k (attnum, ord)
       join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum order by k.ord) as columns
     from pg_class t left join pg_index i on i.indrelid = t.oid and i.indisprimary
     where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace order by 1`,
  )
  return rows
}

const firstLine = (sql: string) => sql.trim().split('\n', 1)[0]!

function migrationOf(table: string): string {
  for (const { path, text } of migrations) {
    const index = text.search(new RegExp(`create table ${table}\\b`))
    if (index >= 0) return `${path}:${lineAt(text, index)}`
  }
  return 'migrations:1'
}

function whereIs(text: string): string {
  const source = program.find((one) => one.text.includes(text))
  return source ? `${source.path}:${lineAt(source.text, source.text.indexOf(text))}` : text
}

const isBuiltin = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier)
const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
const isShipped = ({ path, isTest }: Source) => path.startsWith('src/') && !isTest

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(path.join(root, file), 'utf8')
  } catch {
    return undefined
  }
}
