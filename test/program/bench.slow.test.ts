import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { linesOf } from '../../bench/against.ts'
import { batchSizesBetween } from '../../bench/batch-sizes.ts'
import { readOptions } from '../../bench/options.ts'
import { keepPace } from '../../bench/pace.ts'
import { makeDatabase, makeFolder } from '../support/program.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

type Results = Pick<import('../../bench/results.ts').Results, 'rows' | 'history' | 'machine'>

const compileCache = path.join(tmpdir(), `pesewa-test-compiled-${process.getuid?.()}`)

async function bench(args: string[], given: Record<string, string> = {}) {
  const { DATABASE_URL: _, ...rest } = process.env
  const env = { ...rest, NODE_COMPILE_CACHE: compileCache, ...given }
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
  return { ended, stop }
}

const quick = [
  '--seconds',
  '0.1',
  '--warm-up',
  '0',
  '--accounts',
  '10',
  '--codes',
  '1000',
  '--connections',
  '1',
  '--in-flight',
  '5',
  '--payers',
  '2',
  '--spaces',
  '3',
]

const kinds = ['session', 'payment', 'account', 'transaction', 'transfer', 'payout', 'code', 'otp', 'event']
const routeLabels = [
  ...['session', 'session, no log', 'session, Spaces', 'account', 'code', 'otp', 'payout'].map(
    (kind) => `POST ${kind} 1`,
  ),
  ...[
    ...kinds.flatMap((kind) => (kind === 'payment' ? [kind, `${kind}, no log`] : [kind])),
    'webhook',
    'delivery',
    'balance',
    'receipt',
    'country',
    'provider',
  ].map((kind) => `GET ${kind} 1`),
  ...[...kinds.map((kind) => `${kind}s`), 'webhooks', 'deliveries'].map((kinds) => `list ${kinds} 1`),
  'page 1',
]

function checkRow({ label, figures, usage }: Results['rows'][number], stdout: string): void {
  assert.ok(stdout.includes(`\n${label} `), label)
  assert.ok(figures.done >= 0 && figures.p50Ms <= figures.p99Ms && figures.p99Ms <= figures.maxMs, label)
  assert.equal(figures.failed, 0, label)
  assert.ok(
    Object.values(usage).some((share) => share !== null),
    label,
  )
}

// Does not check speed: the machine is busy with other tests.
describe('npm run bench', () => {
  // Three short runs for a busy machine. The history test measures in-process.
  const parts = {
    'database,framework,http,refunds': [
      ...['database 1, spread', 'database 1, hot', 'framework 1'],
      ...['HTTP 1, spread', 'HTTP 1, hot', 'HTTP 1, Spaces'],
      ...['HTTP 50/s, spread', 'HTTP 50/s, hot', 'HTTP 50/s, Spaces'],
      ...['refunds 4', 'refunds 4, Spaces', 'refunds 300/s'],
    ],
    'deliveries,dials': [
      ...['hooks 30', 'hooks 1000/s', 'hooks 1000/s, one hangs', 'hooks 2, burst'],
      ...['dials 1', 'dials 1000/s', 'dials 2, paid', 'dials 2, Spaces'],
    ],
    'payments,payouts': [
      ...[
        'payments 2',
        'payments 2, Spaces',
        'payments 2, slow',
        'payments 2, one hangs',
        'payments 2, polled',
      ],
      ...['payouts 4', 'payouts 4, Spaces', 'payouts 300/s'],
    ],
  }
  for (const [only, labels] of Object.entries(parts))
    test(`measures ${only} in one table, saves it as JSON, and its books balance`, async () => {
      const folder = makeFolder()
      const file = path.join(folder, 'results.json')
      const more = ['--only', only, '--rate', '50', '--folder', folder, '--json', file]
      const { ended } = await bench([...quick, ...more])
      const { code, stdout, stderr } = await ended
      assert.equal(code, 0, stdout + stderr)
      assert.match(stdout, /The books balance/)
      assert.ok(stdout.split('\n').every((line) => line.length <= 110))
      const { rows, machine } = JSON.parse(readFileSync(file, 'utf8')) as Results
      assert.deepEqual(
        rows.map(({ label }) => label),
        labels,
      )
      for (const row of rows) checkRow(row, stdout)
      assert.ok(machine.cpu && machine.cores && machine.postgresSettings.fsync === 'on')
      assert.ok(!readFileSync(file, 'utf8').includes(folder))
      assert.deepEqual(readdirSync(folder), ['results.json'])
    })

  test('measures every part by default', () => {
    const all = [...Object.keys(parts).flatMap((only) => only.split(',')), 'in-process', 'routes']
    assert.deepEqual(readOptions([])?.only.toSorted(), all.toSorted())
  })

  test('compares routes with the framework, and writing routes with the database, too', async () => {
    const folder = makeFolder()
    const file = path.join(folder, 'results.json')
    const only = ['--only', 'database,framework,routes']
    const { ended } = await bench([...quick, ...only, '--folder', folder, '--json', file])
    const { code, stdout, stderr } = await ended
    assert.equal(code, 0, stdout + stderr)
    assert.ok(stdout.split('\n').every((line) => line.length <= 110))
    const { rows } = JSON.parse(readFileSync(file, 'utf8')) as Results
    const measured = rows.filter(({ part }) => part === 'routes')
    assert.deepEqual(
      measured.map(({ label }) => label),
      routeLabels,
    )
    // On a busy machine, nothing may complete within a tenth of a second, and then there is nothing to compare.
    const isYardstick = (label: string) => rows.some((row) => row.label === label && row.figures.done > 0)
    const hasDatabase = isYardstick('database 1, spread')
    for (const { label, figures, ofDatabase, ofFramework } of measured) {
      assert.equal(figures.failed, 0, label)
      const [kind] = label.split(' ')
      const framework = kind === 'POST' ? 'framework 1' : `framework 1, ${kind}`
      assert.equal(ofFramework !== null, isYardstick(framework), label)
      assert.equal(ofDatabase !== null, hasDatabase && label.startsWith('POST '), label)
    }
  })

  test('measures again with a history, and reports commits that are not durable', async () => {
    const [folder, { url }] = [makeFolder(), await makeDatabase({ isEmpty: true })]
    const file = path.join(folder, 'results.json')
    const args = [...quick, '--only', 'in-process', '--history', '100', '--folder', folder, '--json', file]
    const { code, stdout, stderr } = await (await bench(args, { DATABASE_URL: url })).ended
    assert.equal(code, 1, stdout + stderr)
    assert.match(stdout, /The books balance[\s\S]*Void: fsync is off/)
    const { rows, history } = JSON.parse(readFileSync(file, 'utf8')) as Results
    const labels = ['in process 5, spread', 'in process 5, hot', 'in process 5, Spaces']
    assert.deepEqual(
      rows.map(({ historyLines, label }) => [historyLines, label]),
      [null, 100].flatMap((lines) => labels.map((label) => [lines, label])),
    )
    for (const row of rows) checkRow(row, stdout)
    assert.equal(history.length, 3)
  })

  test('refuses a database that is not empty', async () => {
    const { url } = await makeDatabase()
    const { code, stderr } = await (await bench(quick, { DATABASE_URL: url })).ended
    assert.equal(code, 1)
    assert.match(stderr, /^DATABASE_URL: the database is not empty.*\n$/)
  })

  test('leaves nothing behind when stopped', async () => {
    const folder = makeFolder()
    const run = await bench(['--only', 'http', '--seconds', '60', '--accounts', '10', '--folder', folder])
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    run.stop('SIGINT')
    const { code } = await run.ended
    assert.equal(code, 130)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('refuses invalid options in one line', async () => {
    const { code, stderr } = await (await bench(['--seconds', 'many'])).ended
    assert.equal(code, 1)
    assert.match(stderr, /^--seconds must be .*\n$/)
  })
})

test('the open loop measures latency from the scheduled time, and counts arrivals beyond its limit as dropped', async () => {
  const answersAfterMs = 50
  const submit = () => new Promise<void>((resolve) => setTimeout(resolve, answersAfterMs))
  const pace = { lanes: 2, rate: 1000, warmUpMs: 100, measureMs: 300 }
  const { done, dropped, p50Ms } = await keepPace(submit, pace, { begins() {}, ends() {} })
  assert.ok(done > 0 && dropped > done)
  // The queue before each of them is full.
  assert.ok(p50Ms > 2 * answersAfterMs)
})

test('batch sizes are those of the most frequent command', () => {
  const metrics = (small: number, large: number) => `
pesewa_batch_size_bucket{le="1",command="/v1/a"} ${small}
pesewa_batch_size_bucket{le="10",command="/v1/a"} ${small + large}
pesewa_batch_size_bucket{le="+Inf",command="/v1/a"} ${small + large}
pesewa_batch_size_sum{command="/v1/a"} ${small + 8 * large}
pesewa_batch_size_count{command="/v1/a"} ${small + large}
pesewa_batch_size_sum{command="/v1/b"} 2
pesewa_batch_size_count{command="/v1/b"} 2
`
  assert.deepEqual(batchSizesBetween(metrics(5, 0), metrics(6, 1)), { mean: 4.5, max: 10 })
  assert.equal(batchSizesBetween(undefined, 'pesewa_request_seconds_count 1'), null)
})

test('two trees are compared by the median of their ratios, which is printed with its range', () => {
  const row = (perSecond: number, p50Ms: number) => ({
    label: 'HTTP 64, spread',
    figures: { perSecond, p50Ms, p99Ms: 2 * p50Ms },
    usage: { server: 50, load: 10, postgres: 30, other: 0 },
  })
  const pairOf = (before: number, now: number) =>
    ({ before: [row(before, 10)], now: [row(now, 5)] }) as unknown as Parameters<typeof linesOf>[0][number]
  const [head, line] = linesOf([pairOf(100, 150), pairOf(200, 400), pairOf(100, 160)])
  assert.match(head ?? '', /^3 pairs +before\/s +now\/s +x rate +x CPU each +x p50 +x p99$/)
  assert.match(
    line ?? '',
    /^HTTP 64, spread +100 +160 +1\.60 \(1\.50–2\.00\) +0\.63 \(0\.50–0\.67\) +0\.50 \(0\.50–0\.50\)/,
  )
})
