import assert from 'node:assert/strict'
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import type { Queue } from './support/runner/queue.ts'
import { endStuck } from './support/runner/stuck.ts'

/**
 * `npm test`: one real PostgreSQL for the whole run (without fsync: it is thrown away), a migrated template that each
 * test file copies, then node's test runner. Files share processes, for to load the program takes longer than many of them.
 * Arguments are the files: `npm test -- src/ledger/*.test.ts`. `npm run test:all` runs the files whose names end in
 * `.slow.test.ts`, which `npm test` leaves out.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-'))
// Where root runs the tests, the server's own user must reach its data: elsewhere it would outlive this folder.
chmodSync(folder, 0o755)
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    // The usual eighth of the machine is mapped by each of thousands of connections, and searched when a database is dropped.
    shared_buffers: '128MB',
  },
})
const timeoutMs = Number(process.env.TEST_TIMEOUT_MS ?? 120_000)
/** Without a sign of life: a process of its own has one test or more, and those that share give a sign with each file. */
const stuckMs = Math.max(1_200_000, 3 * timeoutMs)
/** More than the processors of a small machine: much of a test is waiting. */
const processesAtOnce = 5
/** Those that start programs and kill them: each has a process of its own. They wait much. */
const alone = ['test/program/', 'test/crash/']
/** So many take of the other files from the beginning, and leave no processor of a small machine idle; the rest help at the end. */
const sharingFirst = 2
/** Of those that share processes. Begun last, they would be waited for alone. */
const longest = [
  'src/platform/db/embedded.test.ts',
  'src/checkout/pages/pages.browser.test.ts',
  'test/scenarios/',
]
const slowestShown = 5

try {
  const template = { ...postgres.connection, database: 'pesewa_template' }
  const client = new pg.Client(postgres.connection)
  await client.connect()
  await client.query('create database pesewa_template')
  await client.end()
  await migrate(template)
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
      'npm run test:all adds: crashes and restores, restarts, floods, commands as processes, every page in every form, the benchmark.',
    )
}

function filesToRun(): string[] {
  const [patterns, isSlowRun] = [process.argv.slice(2), process.argv[2] === '--slow']
  const files =
    patterns.length > 0 && !isSlowRun
      ? globSync(patterns)
      : globSync('{src,test,scripts,sdk}/**/*.test.ts').filter(
          (file) => file.endsWith('.slow.test.ts') === isSlowRun,
        )
  assert.ok(files.length > 0, `no file matches ${patterns.join(' ')}`)
  return files.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/** The files that have a process of their own, between the processes that the others share. */
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
