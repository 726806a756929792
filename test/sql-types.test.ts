import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { declaredColumns, differences } from './sql-types/compare.ts'
import { describer } from './sql-types/describe.ts'
import { textsOf } from './sql-types/evaluate.ts'
import { openProgram, type Program, type Read } from './sql-types/program.ts'
import { addColumnToEachTable, createTestDatabase } from './support/database.ts'

// Callers of a statement declare the type of its rows. These tests compare it with PostgreSQL's description.

const broken = 'test/sql-types/broken.ts'

/** Statements whose SQL cannot be read from their source, by file and declared row. */
const unread: Record<string, string> = {
  'packages/server/src/finance/books/archive-block-store.ts { count: number; example: string | null }':
    'each need has its own rows',
  'packages/server/src/finance/books/archive-file-store.ts { row: string }': 'each month has its own tables',
  'packages/server/src/finance/books/archive-store.ts { count: number }': 'each month has its own tables',
  'packages/server/src/platform/db/lookups.ts { environment: Environment; count: number }':
    'callers pass different pieces of SQL',
  'packages/server/src/operations/data-keys/row-store.ts { key: KeyValues }': 'each table has its own key',
  'packages/server/src/operations/data-keys/row-store.ts ChunkRow': 'each table has its own columns',
  'packages/server/src/operations/data-keys/row-store.ts { phoneNumber: string; environment: Environment }':
    'two tables of phones',
  'packages/server/src/platform/db/bounded-walk.ts { cursor: string | bigint }':
    'callers pass different pieces of SQL',
  'packages/server/src/finance/books/verify.ts { count: bigint }': 'each traversal has its own rows',
  'packages/server/src/finance/books/verify.ts { rows: bigint }': 'each traversal has its own estimate',
  'packages/server/src/finance/reconciliation/report-store.ts ItemRow': 'a union over the slices’ tables',
  'packages/server/src/simulator/engine/request-store.ts RequestKey':
    'each kind of request has its own table',
}

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
let program: Program
before(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.connection)
  await client.connect()
  program = openProgram(
    (file) => file === broken || (file.startsWith('packages/server/src/') && !file.endsWith('.test.ts')),
  )
})
after(async () => {
  program.close()
  await client.end()
  await database.drop()
})

test('declared rows match the columns, types and nulls that PostgreSQL describes', async () => {
  const reads = program.reads.filter(
    ({ file, row }) => file !== broken && !unread[`${file} ${row.getText()}`],
  )
  const { issues, described } = await issuesIn(reads)
  assert.deepEqual(issues, [])
  assert.ok(described > 200, `${described}`)
})

test('every excluded statement exists', () => {
  const names = new Set(program.reads.map(({ file, row }) => `${file} ${row.getText()}`))
  assert.deepEqual(
    Object.keys(unread).filter((name) => !names.has(name)),
    [],
  )
})

test('finds a wrong name, a wrong type and a missing null', async () => {
  const { issues } = await issuesIn(program.reads.filter(({ file }) => file === broken))
  assert.deepEqual(issues, [
    `${broken}:6 nmae is not selected`,
    `${broken}:7 createdAt is timestamp with time zone, not string`,
    `${broken}:8 suspendedAt can be null`,
    `${broken}:9 name can be null`,
    `${broken}:10 total can be null`,
    `${broken}:11 spaceIds is uuid[], not number[]`,
  ])
})

test('a column that a later release adds is in the result of no statement', async () => {
  const texts = program.reads.flatMap(({ file, row, statement }) =>
    file === broken || unread[`${file} ${row.getText()}`] || !declaredColumns(program.checker, row)
      ? []
      : textsOf(program, statement),
  )
  const resultsOf = async () => {
    const describe = await describer(client)
    const names: string[][] = []
    for (const text of texts) names.push((await describe(text)).map(({ name }) => name))
    return names
  }
  const before = await resultsOf()
  await addColumnToEachTable(client)
  const after = await resultsOf()
  assert.deepEqual(
    texts.filter((_, i) => before[i]?.length !== after[i]?.length),
    [],
  )
})

/**
 * Returns the differences between declarations and descriptions, and the number of described statements. Rows
 * of generic types declare no columns.
 */
async function issuesIn(reads: Read[]): Promise<{ issues: string[]; described: number }> {
  const describe = await describer(client)
  const issues = new Set<string>()
  let described = 0
  for (const { file, line, row, statement } of reads) {
    const declared = declaredColumns(program.checker, row)
    if (!declared) continue
    try {
      for (const text of textsOf(program, statement))
        for (const issue of differences(program.checker, declared, await describe(text)))
          issues.add(`${file}:${line} ${issue}`)
      described++
    } catch (error) {
      issues.add(`${file}:${line} ${error instanceof Error ? error.message : error}`)
    }
  }
  return { issues: [...issues], described }
}
