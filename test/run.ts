import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'

/**
 * `npm test`: one real PostgreSQL for the whole run (without fsync: it is thrown away), a migrated template that each
 * test file copies, then node's test runner. Arguments are passed on: `npm test -- src/ledger/*.test.ts`.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-'))
// Where root runs the tests, the server's own user must reach its data: elsewhere it would outlive this folder.
chmodSync(folder, 0o755)
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
})
const timeoutMs = Number(process.env.TEST_TIMEOUT_MS ?? 120_000)
const stopSignals = ['SIGINT', 'SIGTERM'] as const
try {
  const template = { ...postgres.connection, database: 'pesewa_template' }
  const client = new pg.Client(postgres.connection)
  await client.connect()
  await client.query('create database pesewa_template')
  await client.end()
  await migrate(template)
  process.exitCode = await runTests(postgres.connection)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

function runTests(connection: pg.ClientConfig): Promise<number> {
  const given = process.argv.slice(2)
  const files = given.length > 0 ? given : ['{src,test,scripts}/**/*.test.ts']
  const env = {
    ...process.env,
    TEST_DATABASE: JSON.stringify(connection),
    // Each file is a process of its own, and most of them load the whole program.
    NODE_COMPILE_CACHE: path.join(tmpdir(), `pesewa-test-compiled-${process.getuid?.()}`),
  }
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=4', `--test-timeout=${timeoutMs}`, '--test-reporter=spec', ...files],
    { stdio: 'inherit', env },
  )
  for (const signal of stopSignals) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}
