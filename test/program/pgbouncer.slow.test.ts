import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts'
import { makeDatabase, makeFolder, runProgram } from '../support/program.ts'

const skip = pgbouncerVersion ? false : 'install pgbouncer, or set PGBOUNCER_BIN'

test('PgBouncer is refused without a session URL, and if it does not prepare statements', {
  skip,
}, async () => {
  const { connection, url } = await makeDatabase()
  const pooler = await startPgbouncer(connection)
  after(() => pooler.close())
  const given = { DATABASE_URL: pooler.url, DATA_DIR: makeFolder() }
  const refused = async (more: Record<string, string>, line: string) => {
    const { code, stderr } = await runProgram(['migrate'], { ...given, ...more })
    assert.deepEqual([code, stderr], [1, `${line}\n`])
  }
  await refused(
    {},
    'DATABASE_URL points to a transaction pooler. Connect directly to PostgreSQL, or set DATABASE_SESSION_URL, too, to a direct connection.',
  )
  await refused(
    { DATABASE_SESSION_URL: pooler.url },
    'DATABASE_SESSION_URL points to a transaction pooler. Set it to a direct connection to PostgreSQL.',
  )
  await refused(
    { DATABASE_SESSION_URL: url },
    'DATABASE_URL points to a pooler that does not support prepared statements. Use PgBouncer 1.21 or newer, with max_prepared_statements above 0.',
  )
  await refused(
    { DATABASE_SESSION_URL: (await makeDatabase()).url },
    'DATABASE_URL and DATABASE_SESSION_URL lead to different databases.',
  )
})
