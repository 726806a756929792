import assert from 'node:assert/strict'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startEmbeddedPostgres } from '@pesewa/embedded-postgres'
import pg from 'pg'
import { migrate } from '../packages/server/src/platform/db/migrate.ts'
import { prepareDatabase } from '../packages/server/src/platform/db/months.ts'
import type { Queue } from './support/runner/queue.ts'
import { endStuck } from './support/runner/stuck.ts'

/**
 * `npm test`: one real PostgreSQL for the whole run (without fsync, because it is discarded), a migrated template that
 * each test file copies, then node's test runner. Files share processes, because loading the program takes longer than
 * many of them. Arguments are files: `npm test -- packages/server/src/ledger/accounts/*.test.ts`. Without arguments, `npm run test:all` runs the
 * files whose names end in `.slow.test.ts`, which `npm test` leaves out.
 */
const folder = mkdtempSync(path.join(fastFolder(), 'pesewa-test-'))
// When root runs the tests, the server runs as another user, who must be able to reach its data.
chmodSync(folder, 0o755)
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    // Each of thousands of connections maps this memory, and dropping a database searches it.
    shared_buffers: '128MB',
  },
})
const timeoutMs = Number(process.env.TEST_TIMEOUT_MS ?? 120_000)
/** Time without a sign of life after which a process counts as stuck. Shared processes give a sign with each file. */
const stuckMs = Math.max(1_200_000, 3 * timeoutMs)
/** More than a small machine has processors, because tests spend much of their time waiting. */
const processesAtOnce = 5
/** Files that start and kill programs. Each runs in its own process, and mostly waits. */
const alone = ['test/program/', 'test/crash/']
/** Processes that run the other files from the start, to keep a small machine busy; the rest help at the end. */
const sharingFirst = 2
/** The longest files that share a process. They start first, so that the run does not end waiting for one of them. */
const longest = [
  'packages/embedded-postgres/src/index.slow.test.ts',
  'packages/server/src/ways-to-pay/checkout/pages/pages.browser.slow.test.ts',
  'packages/server/src/platform/jobs/worker.test.ts',
  'packages/server/src/rails/connections/connectors.test.ts',
  'packages/rails/conformance.test.ts',
  'packages/sdk/src/request.test.ts',
  'test/scenarios/',
]
const slowestShown = 5

try {
  const client = new pg.Client(postgres.connection)
  await client.connect()
  // The schema without the partitions of months, which would make it depend on the date.
  await client.query('create database pesewa_schema')
  await migrate({ ...postgres.connection, database: 'pesewa_schema' })
  await client.query('create database pesewa_template template pesewa_schema strategy file_copy')
  await client.end()
  await prepareDatabase({ ...postgres.connection, database: 'pesewa_template' })
  await runTests(postgres.connection)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function runTests(connection: pg.ClientConfig): Promise<void> {
  process.env.TEST_DATABASE = JSON.stringify(connection)
  // Several processes load the whole program.
  process.env.NODE_COMPILE_CACHE = path.join(tmpdir(), `pesewa-test-compiled-${process.getuid?.()}`)
  process.exitCode = 1
  process.env.TEST_SIGNS = path.join(folder, 'signs')
  mkdirSync(process.env.TEST_SIGNS)
  endStuck(process.env.TEST_SIGNS, stuckMs, (line) => console.error(line))
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  const seconds = new Map<string, number>()
  const tests = run({
    files: processesFor(filesToRun()),
    concurrency: processesAtOnce,
    execArgv: [
      `--test-timeout=${timeoutMs}`,
      '--import',
      path.join(import.meta.dirname, 'support/runner/process.ts'),
    ],
    signal: stopping.signal,
  })
  tests.on('test:complete', ({ name, details }) => {
    if (name.endsWith('.test.ts'))
      seconds.set(path.relative('', name), Math.round(details.duration_ms / 1000))
  })
  tests.on('test:summary', ({ file, success }) => {
    if (file === undefined) process.exitCode = success ? 0 : 1
  })
  for await (const text of tests.compose(new spec())) process.stdout.write(text)
  console.log(`\nSlowest: ${slowestOf(seconds)}`)
  if (process.argv.length === 2)
    console.log(
      'npm run test:all adds: crashes and restores, restarts, floods, invalid values in every field, filters in random combinations, commands as processes, every page in every state, the benchmark.',
    )
}

/** Returns a folder in memory if enough is free: a new database takes 23 ms there, and 240 ms on a disk. */
function fastFolder(): string {
  const [memory, neededBytes] = ['/dev/shm', 4 * 2 ** 30]
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > neededBytes ? memory : tmpdir()
}

function filesToRun(): string[] {
  const isSlowRun = process.argv[2] === '--slow'
  const patterns = process.argv.slice(isSlowRun ? 3 : 2)
  const files =
    patterns.length > 0
      ? globSync(patterns)
      : // Tests of the template need a rail that is made from it: see test/program/new-rail.slow.test.ts.
        globSync('{packages,test,scripts}/**/*.test.ts', {
          exclude: ['scripts/new-rail/template'],
        }).filter((file) => file.endsWith('.slow.test.ts') === isSlowRun)
  assert.ok(files.length > 0, `no file matches ${patterns.join(' ')}`)
  return files.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/**
 * Returns the files to start processes with: the files with their own process, between the processes that share
 * the other files.
 */
function processesFor(files: string[]): string[] {
  const isAlone = (file: string) => alone.some((folder) => file.startsWith(folder))
  const shared = files.filter((file) => !isAlone(file))
  const queue: Queue = { files: shared, folder: path.join(folder, 'queue'), timeoutMs: 2 * timeoutMs }
  mkdirSync(queue.folder)
  process.env.TEST_QUEUE = JSON.stringify(queue)
  const sharing = Array(Math.min(processesAtOnce, shared.length)).fill(
    path.join(import.meta.dirname, 'support/runner/queue.ts'),
  )
  return [...sharing.slice(0, sharingFirst), ...files.filter(isAlone), ...sharing.slice(sharingFirst)]
}

function rankOf(file: string): number {
  const rank = longest.findIndex((place) => file.startsWith(place))
  return rank < 0 ? longest.length : rank
}

function slowestOf(seconds: Map<string, number>): string {
  return [...seconds]
    .sort(([, a], [, b]) => b - a)
    .slice(0, slowestShown)
    .map(([file, seconds]) => `${file} ${seconds} s`)
    .join(', ')
}
