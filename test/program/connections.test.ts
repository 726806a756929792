import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openBank } from '../support/bank.ts'
import { openCommandLine } from '../support/command-line.ts'
import { ask, assertOneLine, type Environment, makeDatabase, makeFolder } from '../support/program.ts'

const { runCommand } = openCommandLine()

const bank = await openBank()
let given: Environment
let connection: Awaited<ReturnType<typeof makeDatabase>>['connection']
before(async () => {
  const folder = makeFolder()
  const file = path.join(folder, 'providers.json')
  bank.keys.set('shut', ['another-key'])
  const connections = {
    open: bank.connectionTo('open', { providers: ['slb001', 'slb004'] }),
    shut: bank.connectionTo('shut', { providers: ['slb001'], share: 5 }),
  }
  writeFileSync(file, JSON.stringify({ connections }))
  const database = await makeDatabase()
  connection = database.connection
  given = { DATABASE_URL: database.url, DATA_DIR: folder, PROVIDERS_FILE: file }
})
after(() => bank.close())

async function json(...args: string[]) {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], given)
  assert.deepEqual([code, stderr], [0, ''])
  assert.doesNotMatch(stdout, /key-of/)
  return JSON.parse(stdout)
}

test('pesewa connections lists them without secrets, and pauses them with a message', async () => {
  await json('connections', 'pause', 'open', '--pay-out', '--words', 'Back at noon.', '--by', 'Aminata')
  const [open, shut] = (await json('connections', 'list')).connections
  assert.deepEqual(
    [open.name, open.protocol, open.providers, shut.share, shut.paused],
    ['open', 'rest', ['slb001', 'slb004'], 5, []],
  )
  assert.match(open.paused[0], /^pay_out since .* by Aminata: Back at noon\.$/)
  const twice = await runCommand(
    ['connections', 'pause', 'open', '--words', 'Again.', '--by', 'Aminata'],
    given,
  )
  assertOneLine(twice.stderr, /already paused/)
  const resumed = await json('connections', 'resume', 'open', '--by', 'Aminata')
  assert.equal(resumed.directions, 'pay_out', 'the only direction that was paused')
  assert.deepEqual((await json('connections', 'list')).connections[0].paused, [])
  const again = await runCommand(['connections', 'resume', 'open', '--by', 'Aminata'], given)
  assertOneLine(again.stderr, /not paused/)
  const none = await runCommand(['connections', 'resume', 'nobody', '--by', 'Aminata'], given)
  assertOneLine(none.stderr, /There is no connection nobody in live/)
})

test('pesewa connections show adds the success rates and reports, for each provider and direction', async () => {
  await ask(
    connection,
    `insert into connection_stats (environment, connection, provider_id, direction, begun_at, succeeded, failed, calls, reported_at)
    values ('live', 'open', 'slb001', 'collect', now() - interval '1 minute', 3, 1, '{}', now())`,
  )
  const { name, openBreakers, traffic } = await json('connections', 'show', 'open')
  assert.deepEqual([name, openBreakers, traffic.length], ['open', [], 4])
  const { lastReportTime, ...collect } = traffic[0]
  assert.ok(Date.now() - Date.parse(lastReportTime) < 60_000)
  assert.deepEqual(collect, {
    providerId: 'slb001',
    direction: 'collect',
    successLastHour: '75 % of 4',
    successLastDay: '75 % of 4',
    p50Ms: null,
    p95Ms: null,
  })
})

test('pesewa connections test shows the rail’s responses; pesewa float shows which rails report no balance', async () => {
  const open = await runCommand(['connections', 'test', 'open'], given)
  assert.deepEqual(
    [open.code, open.stdout],
    [0, 'ok  an unknown collection: the rail has no record of it, as expected\n'],
  )
  const shut = await runCommand(['connections', 'test', 'shut'], given)
  assert.deepEqual([shut.code, shut.stdout], [1, 'failed  an unknown collection: 401 unauthorized\n'])
  const { float } = await json('float')
  assert.deepEqual(
    float.map(({ connection, where, amount }: Record<string, unknown>) => [connection, where, amount]),
    [
      ['open', 'rail', null],
      ['shut', 'rail', null],
    ],
  )
})
