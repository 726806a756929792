import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { freePort } from '../support/free-port.ts'
import { holdKeys, refusesConnections, waitingBackends } from '../support/held-requests.ts'
import {
  ask,
  assertOneLine,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  partsOf,
  pay,
  readDemo,
  runProgram,
  type Shop,
  spawnProgram,
  startProgram,
  waitUntil,
} from '../support/program.ts'

const two = { PROCESSES: '2' }
const unlimited = { RATE_LIMITS: 'off' }
const callLimitMs = 20_000

/** Starts a node of two processes. */
async function open(given: Environment = {}, options = {}) {
  const { connection, url } = await makeDatabase()
  const settings = { DATA_DIR: makeFolder(), DATABASE_URL: url, ...two, ...given }
  const program = await startProgram(['serve', '--work'], settings, options)
  const shop = await makeShop(settings, program.baseUrl)
  return { program, connection, shop, settings }
}

/** Calls the program on a new connection, so that either process may answer. */
const callAnew = (url: string, method: 'GET' | 'POST' = 'GET', headers = {}, body?: string) =>
  request(url, { method, reset: true, headers, ...(body !== undefined && { body }) })

describe('several processes', () => {
  test('share one port: each of them answers while the other is stopped', async () => {
    const { program } = await open()
    const parts = partsOf(program)
    assert.equal(parts.length, 2)
    for (const stopped of parts) {
      process.kill(stopped, 'SIGSTOP')
      // The stopped process gets one connection at most.
      let answered = 0
      const calls = Array.from({ length: 6 }, async () => {
        const { statusCode, body } = await callAnew(`${program.baseUrl}/healthz`)
        await body.dump()
        assert.equal(statusCode, 200)
        answered++
      })
      await waitUntil(program, () => answered >= 5)
      process.kill(stopped, 'SIGCONT')
      await Promise.all(calls)
    }
    assert.equal((await program.stop('SIGTERM')).code, 0)
  })

  test('both serve requests and run jobs as nodes, and report once that they are ready', async () => {
    const { program, connection } = await open()
    const nodes = await ask(connection, 'select node, serves, works from nodes order by node')
    assert.deepEqual(
      nodes.map(({ serves, works }) => ({ serves, works })),
      Array(2).fill({ serves: true, works: true }),
    )
    const { code, stdout, stderr } = await program.stop()
    assert.equal(code, 0)
    assertOneLine(stdout, /^Pesewa is ready at /)
    assertOneLine(stderr, /"msg":"ready"/)
    const { nodes: reported, pid } = JSON.parse(stderr)
    assert.deepEqual(
      reported.toSorted((a: number, b: number) => a - b),
      nodes.map(({ node }) => node),
    )
    assert.equal(pid, program.process.pid)
    assert.deepEqual(await ask(connection, 'select 1 from nodes where stopped_at is null'), [])
  })

  test('of a node that only runs jobs do so together', async () => {
    const { connection, url } = await makeDatabase()
    const PORT = String(await freePort())
    const settings = { DATABASE_URL: url, DATA_DIR: makeFolder(), PORT, ...two }
    const server = await startProgram(['serve'], { ...settings, PROCESSES: '1' })
    const worker = await startProgram(['work'], { ...settings, DATA_DIR: makeFolder() })
    const shop = await makeShop(settings, server.baseUrl)
    assert.equal((await pay(server, shop, 15_000)).status, 'completed')
    assert.equal((await ask(connection, 'select 1 from nodes where works')).length, 2)
    for (const node of [worker, server]) assert.equal((await node.stop()).code, 0)
  })

  test('see a moved test clock in every process as soon as the call has returned', async () => {
    const { program, shop } = await open(unlimited)
    let expected = Date.now()
    for (let move = 0; move < 5; move++) {
      await call(shop, 'POST', '/v1/test-clock', { advance: '1h' })
      expected += 3_600_000
      for (let each = 0; each < 4; each++) {
        const created = await createSessionAnew(shop, `${move} ${each}`)
        assert.ok(Date.parse(created.createTime) >= expected, `${created.createTime} is in the past`)
      }
    }
    await program.stop()
  })

  test('do not start if there is only one', async () => {
    const { program } = await open({ PROCESSES: '1' })
    assert.deepEqual(partsOf(program), [])
    await program.stop()
  })
})

async function createSessionAnew({ baseUrl, spaceId, testToken }: Shop, key: string) {
  const { statusCode, body } = await callAnew(
    `${baseUrl}/v1/checkout-sessions`,
    'POST',
    {
      authorization: `Bearer ${testToken}`,
      'service-space-id': spaceId,
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    JSON.stringify(order(100)),
  )
  const answer = JSON.parse(await body.text())
  assert.equal(statusCode, 200, JSON.stringify(answer))
  // biome-ignore lint/suspicious/noExplicitAny: JSON from the wire
  return answer.result as any
}

test('a process that is killed under load is replaced, and no acknowledged change is lost', async () => {
  const { program, shop, settings } = await open(unlimited)
  const [killed = 0, kept = 0] = partsOf(program)
  const acknowledged = new Map<string, string>()
  let isEnough = false
  const client = async (name: string) => {
    for (let i = 0; !isEnough; i++) {
      const key = `${name} ${i}`
      const create = () =>
        fetch(`${shop.baseUrl}/v1/checkout-sessions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${shop.testToken}`,
            'service-space-id': shop.spaceId,
            'idempotency-key': key,
            'content-type': 'application/json',
          },
          body: JSON.stringify(order(100)),
          signal: AbortSignal.timeout(callLimitMs),
        })
          .then((answer) => answer.json() as Promise<{ result: { id: string } }>)
          .then(({ result }) => result.id)
          .catch(() => undefined)
      // A call without a response is repeated with the same key, as the guide says.
      let id: string | undefined
      while (id === undefined) id = await create()
      acknowledged.set(key, id)
    }
  }
  const clients = Array.from({ length: 4 }, (_, i) => client(`client ${i}`))
  await waitUntil(program, () => acknowledged.size > 20)
  process.kill(killed, 'SIGKILL')
  await waitUntil(program, () => {
    const parts = partsOf(program)
    return parts.length === 2 && !parts.includes(killed) && parts.includes(kept)
  })
  const before = acknowledged.size
  await waitUntil(program, () => acknowledged.size > before + 20)
  isEnough = true
  await Promise.all(clients)
  assert.equal(new Set(acknowledged.values()).size, acknowledged.size, 'each key created one session')
  for (const id of acknowledged.values())
    assert.equal((await call(shop, 'GET', `/v1/checkout-sessions/${id}`)).status, 200)
  const { code, stdout, stderr } = await program.stop('SIGTERM')
  assert.equal(code, 0)
  assertOneLine(stdout, /^Pesewa is ready/)
  const [, , ended, ...more] = stderr.trimEnd().split('\n')
  assert.deepEqual(more, [])
  const { process: place, pid, code: exitCode, signal, msg } = JSON.parse(ended!)
  assert.deepEqual([place, pid, exitCode, signal], [1, killed, null, 'SIGKILL'])
  assert.equal(msg, 'a process ended unexpectedly')
  assert.equal((await runProgram(['verify'], settings)).code, 0)
})

test('a signal to all processes, as from a terminal, lets the requests in progress finish', async () => {
  const { program, connection, shop } = await open()
  const parts = partsOf(program)
  const keys = ['a', 'b', 'c', 'd']
  const holder = await holdKeys(connection, shop.spaceId, keys)
  const answers = keys.map((key) => createSessionAnew(shop, key))
  await waitUntil(program, async () => (await waitingBackends(connection)) >= parts.length)
  for (const pid of parts) process.kill(pid, 'SIGINT')
  const ended = program.stop('SIGINT')
  await waitUntil(program, () => refusesConnections(program))
  await holder.release()
  assert.equal(new Set((await Promise.all(answers)).map(({ id }) => id)).size, keys.length)
  const { code, stdout, stderr } = await ended
  assert.equal(code, 0)
  assertOneLine(stdout, /^Pesewa is ready/)
  assertOneLine(stderr, /"msg":"ready"/)
  assert.deepEqual(partsOf(program), [])
})

test('a signal during the start ends the program before it starts further processes', async () => {
  const { url } = await makeDatabase()
  const settings = { DATABASE_URL: url, DATA_DIR: makeFolder(), PORT: String(await freePort()) }
  const program = spawnProgram(['serve', '--processes', '3'], settings)
  const [first = 0] = await waitUntil(program, () => {
    const parts = partsOf(program)
    return parts.length > 0 && parts
  })
  process.kill(first, 'SIGSTOP')
  const ended = program.stop('SIGTERM')
  process.kill(first, 'SIGCONT')
  const { code, stdout, stderr } = await ended
  assert.deepEqual([code, stdout, stderr], [0, '', ''])
  assert.deepEqual(await ask({ connectionString: url }, 'select 1 from nodes where stopped_at is null'), [])
})

test('a second signal ends all processes immediately', async () => {
  const { program, connection, shop } = await open()
  const holder = await holdKeys(connection, shop.spaceId, ['never answered'])
  const answer = assert.rejects(createSessionAnew(shop, 'never answered'))
  await waitUntil(program, async () => (await waitingBackends(connection)) === 1)
  const parts = partsOf(program)
  program.process.kill('SIGTERM')
  await waitUntil(program, () => refusesConnections(program))
  assert.equal((await program.stop('SIGTERM')).code, 143)
  await answer
  await holder.release()
  const listed = execFileSync('ps', ['-eo', 'pid=,stat='], { encoding: 'utf8' })
  for (const pid of parts) assert.doesNotMatch(listed, new RegExp(`^\\s*${pid}\\s+[^Z]`, 'm'))
})

test('metrics are the sums of all processes, and values from the database are not added up', async () => {
  const metricsPort = String(await freePort())
  const { program, connection, settings } = await open({ METRICS_PORT: metricsPort })
  await ask(
    connection,
    `insert into backups (started_at, finished_at, location, bytes, verified_at)
     values (to_timestamp(1000), to_timestamp(1000), '/', 1, now())`,
  )
  // The first process answers this command.
  assert.equal((await runProgram(['cases', 'list'], settings)).code, 0)
  const calls = 10
  for (let i = 0; i < calls; i++) await (await callAnew(`${program.baseUrl}/healthz`)).body.dump()
  for (let scrape = 0; scrape < 4; scrape++) {
    const { statusCode, body } = await callAnew(`http://127.0.0.1:${metricsPort}/metrics`)
    const text = await body.text()
    assert.equal(statusCode, 200)
    assert.match(text, new RegExp(`^pesewa_request_seconds_count\\{.*route="/healthz".*\\} ${calls}$`, 'm'))
    assert.match(text, /^pesewa_backup_timestamp_seconds 1000$/m)
    assert.match(text, /^nodejs_version_info\{.*\} 1$/m)
  }
  assert.equal((await callAnew(`http://127.0.0.1:${metricsPort}/readyz`)).statusCode, 200)
  await program.stop()
})

test('the demo is prepared once, and every process offers it', async () => {
  const folder = makeFolder()
  const { url } = await makeDatabase()
  const program = await startProgram(['start'], { DATA_DIR: folder, DATABASE_URL: url, ...two })
  assert.equal(program.stdout().match(/Sign in once/g)?.length, 1)
  assertOneLine(program.stderr(), /"msg":"ready"/)
  const demo = readDemo(folder)
  // Each process gets two of these connections. All of them share a limit of five a second.
  for (let i = 0; i < 4; i++) {
    const { statusCode, headers, body } = await callAnew(`${program.baseUrl}/demo/pay`, 'POST', {
      origin: program.baseUrl,
    })
    await body.dump()
    assert.equal(statusCode, 303)
    assert.match(String(headers.location), /\/pay\//)
  }
  assert.equal((await pay(program, demo, 15_000)).status, 'completed')
  assert.equal((await program.stop()).code, 0)
})

describe('a program of two processes that cannot run ends with one clear line', () => {
  test('if the port is in use', async (t) => {
    const { url } = await makeDatabase()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const PORT = String((server.address() as AddressInfo).port)
    const settings = { DATABASE_URL: url, DATA_DIR: makeFolder(), ...two }
    for (const ports of [{ PORT }, { METRICS_PORT: PORT, PORT: String(await freePort()) }]) {
      const { code, stdout, stderr } = await runProgram(['serve'], { ...settings, ...ports })
      assertOneLine(stderr, /^Port \d+ is in use/)
      assert.deepEqual([code, stdout], [1, ''])
    }
  })

  test('if the database has not been migrated', async () => {
    const { url } = await makeDatabase({ isEmpty: true })
    const settings = { DATABASE_URL: url, DATA_DIR: makeFolder(), PORT: '0', ...two }
    const { code, stdout, stderr } = await runProgram(['serve'], settings)
    assertOneLine(stderr, /pesewa migrate/)
    assert.deepEqual([code, stdout], [1, ''])
  })

  test('if a process is killed while it starts', async () => {
    const { settings, ...failing } = await makeFailing()
    writeFileSync(settings.FAIL_FILE, '')
    const { code, stdout, stderr } = await runProgram(['serve'], { ...settings, PORT: '0' }, failing)
    assertOneLine(stderr, /^A process ended while it started \(SIGKILL\)\.$/m)
    assert.deepEqual([code, stdout], [1, ''])
  })

  test('if its processes keep ending right after their start', async () => {
    const { settings, ...failing } = await makeFailing()
    const program = await startProgram(['serve'], settings, failing)
    writeFileSync(settings.FAIL_FILE, '')
    process.kill(partsOf(program)[1]!, 'SIGKILL')
    const { code, stderr } = await program.ended
    assert.equal(code, 1)
    const [, ...lines] = stderr.trimEnd().split('\n')
    assertOneLine(lines.pop()!, /^A process ended 5 times in a row right after its start\. See the log\.$/)
    assert.deepEqual(
      [...new Set(lines.map((line) => JSON.parse(line).msg))],
      ['a process ended unexpectedly'],
    )
  })

  /** Returns settings and options of a program whose processes fail at their start once FAIL_FILE exists. */
  async function makeFailing() {
    const { url } = await makeDatabase()
    const folder = makeFolder()
    const FAIL_FILE = path.join(folder, 'fail')
    const nodeFlags = ['--import', fileURLToPath(new URL('../support/failing-process.ts', import.meta.url))]
    return { settings: { DATABASE_URL: url, DATA_DIR: folder, FAIL_FILE, ...two }, nodeFlags }
  }
})

test('invalid numbers of processes are refused in one line', async () => {
  for (const number of ['0', '65', '-1', '1.5', 'two', '']) {
    const { code, stdout, stderr } = await runProgram(['serve', '--processes', number], {})
    assertOneLine(stderr, /--processes.* must be a whole number from 1 to 64, or auto/)
    assert.deepEqual([code, stdout], [1, ''])
  }
  const { code, stderr } = await runProgram(['start'], { PROCESSES: 'many' })
  assertOneLine(stderr, /^PROCESSES must be a whole number from 1 to 64, or auto$/m)
  assert.equal(code, 1)
})
