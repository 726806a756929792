import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, test } from 'node:test'
import { programVersion } from '../../packages/server/src/platform/version.ts'
import { freePort } from '../support/free-port.ts'
import { holdKeys, refusesConnections, waitingBackends } from '../support/held-requests.ts'
import { createPayer } from '../support/payer.ts'
import {
  assertOneLine,
  call,
  makeDatabase,
  makeFolder,
  order,
  type Program,
  processesOf,
  readDemo,
  runProgram,
  spawnProgram,
  startProgram,
  waitUntil,
} from '../support/program.ts'

const mainFile = path.resolve(import.meta.dirname, '../../packages/server/src/main.js')
const dataDir = path.join(makeFolder(), 'data')
const cluster = () => path.join(realpathSync(path.join(dataDir, 'postgres')), 'data')
const checkoutUrl = (program: Program) => /http\S+\/pay\/\S+/.exec(program.stdout())?.[0]

describe('a first start', () => {
  let program: Program

  test('is ready with a payable page and a curl example, printed in at most 15 lines', async (t) => {
    const begun = performance.now()
    program = await startProgram(['start'], { DATA_DIR: dataDir })
    t.diagnostic(
      `ready after ${Math.round(performance.now() - begun)} ms, residentMemory ${residentMegabytes(program)} MB`,
    )
    assert.ok(program.stdout().trimEnd().split('\n').length <= 15)
    const tokens = program.stdout().match(/psw_\w+|link=\S+|\/pay\/\S+/g) ?? []
    assert.deepEqual(tokens, [...new Set(tokens)], 'no token is printed twice')
    const columns = [...program.stdout().matchAll(/^ {2}[A-Z].*?(?=http:)/gm)].map(([text]) => text.length)
    assert.ok(columns.length >= 5 && new Set(columns).size === 1, 'the links are an aligned table')
    assertOneLine(program.stderr(), /"msg":"ready"/)
  })

  test('prints a curl example that works as is, and leads to a payment page', async () => {
    const [, command] = /(curl -s .*(?:\n {4}.*)*)/.exec(program.stdout()) ?? []
    const { success, result } = JSON.parse(execFileSync('bash', ['-c', command!], { encoding: 'utf8' }))
    assert.equal(success, true)
    const page = await createPayer(result.redirectUrl).look()
    assert.equal(page.status, 200)
    assert.match(page.text, /Country cloth/)
  })

  test('prints a checkout that can be paid immediately', async () => {
    const payer = createPayer(checkoutUrl(program)!)
    await payer.pay('m17', '076 123 456')
    await waitUntil(program, async () => (await payer.status()) === 'done')
    assert.match((await payer.look()).text, /class="[^"]*paid|Paid|Thank/i)
  })

  test('stores what scripts need in data/demo.json, readable by its owner only', () => {
    const demo = readDemo(dataDir)
    assert.equal(statSync(path.join(dataDir, 'demo.json')).mode & 0o777, 0o600)
    assert.equal(demo.baseUrl, program.baseUrl)
    assert.match(demo.spaceId, /^spc-/)
    assert.match(demo.testToken, /^psw_test_/)
    assert.match(demo.liveToken, /^psw_live_/)
    assert.match(demo.financialAccountId, /^fac-/)
  })

  test('prints the handsets page, and stores where a script can dial like them', async () => {
    const { simulatorUrl, ussdUrl } = readDemo(dataDir)
    assert.ok(program.stdout().includes(simulatorUrl))
    assert.match(await (await fetch(simulatorUrl)).text(), /Simulated phones/)
    const step = {
      sessionId: 'a',
      serviceCode: '*715#',
      phoneNumber: '+23276123456',
      networkCode: '',
      text: '',
    }
    const answer = await fetch(ussdUrl, { method: 'POST', body: new URLSearchParams(step) })
    assert.match(await answer.text(), /^CON /)
  })

  test('gives the demo Space funded test accounts in SLE and GHS, and one completed payment', async () => {
    const demo = readDemo(dataDir)
    await waitUntil(program, async () => {
      const payments = (await call(demo, 'GET', '/v1/payments')).body.result
      const named = payments?.find(({ name }: { name: string }) => name === 'First order, already paid')
      return named?.status === 'completed'
    })
    const { body } = await call(demo, 'GET', '/v1/financial-accounts?withBalance=true')
    const funds = new Map<string, number>(
      body.result.map(({ currency, balance }: never) => [
        currency,
        (balance as { available: { value: number } }).available.value,
      ]),
    )
    assert.ok(funds.get('SLE')! > 1_000_000)
    assert.equal(funds.get('GHS'), 1_000_000)
    const live = await call({ ...demo, testToken: demo.liveToken }, 'GET', '/v1/payments')
    assert.deepEqual([live.status, live.body.result], [200, []])
  })

  test('works as the README shows, block by block', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [, steps = ''] = readme.split('## A payment in five minutes')
    const [begin = '', look = '', code = '', payout = '', proof = ''] = [
      ...steps.split('\n## ')[0]!.matchAll(/```sh\n(.*?)```/gs),
    ].map(([, block]) => block)
    // Runs `npm run -s pesewa -- verify` for this program and its folder.
    const npm = `npm() { DATA_DIR='${dataDir}' '${process.execPath}' '${mainFile}' "\${@:5}"; }\n`
    const [variables = '', command = ''] = begin.split(/(?=curl )/)
    const run = (block: string) =>
      execFileSync('bash', ['-euc', npm + variables + block], {
        cwd: path.dirname(dataDir),
        encoding: 'utf8',
      }).trim()

    const payer = createPayer(run(command))
    await payer.pay('m17', '076 123 456')
    await waitUntil(program, async () => (await payer.status()) === 'done')
    const [payments, lines] = run(look).split('\n')
    assert.deepEqual(
      JSON.parse(payments!).result.map(({ name, status }: never) => [name, status]),
      [['Order 42', 'completed']],
    )
    assert.equal(JSON.parse(lines!).result.length, 2)
    assert.match(run(code), /^\*715\*\d+#$/)
    const { amount, status } = JSON.parse(run(payout)).result
    assert.deepEqual([amount, status], [{ currency: 'SLE', value: 1_500 }, 'completed'])
    run(proof)
  })

  test('exits with 0 on Ctrl-C, and leaves no PostgreSQL behind', async () => {
    assert.notDeepEqual(processesOf(cluster()), [])
    const { code, stderr } = await program.stop('SIGINT')
    assert.equal(code, 0)
    assertOneLine(stderr, /"msg":"ready"/)
    assert.deepEqual(processesOf(cluster()), [])
  })
})

describe('a later start', () => {
  /** The payment pages that each start printed. */
  const printed: string[] = []
  const pagePrinted = async (program: Program) => {
    const url = checkoutUrl(program) ?? ''
    assert.match((await createPayer(url).look()).text, /name="formToken"/)
    return new URL(url).pathname
  }

  test('finds the same Space with the same tokens, and creates no second demo', async () => {
    const before = readDemo(dataDir)
    const { simulatorUrl: _, ussdUrl: __, ...older } = before
    writeFileSync(path.join(dataDir, 'demo.json'), JSON.stringify(older))
    const program = await startProgram(['start'], { DATA_DIR: dataDir })
    const demo = readDemo(dataDir)
    const addresses = { baseUrl: '', simulatorUrl: '', ussdUrl: '' }
    assert.deepEqual({ ...demo, ...addresses }, { ...before, ...addresses })
    const { body } = await call(demo, 'GET', '/v1/payments')
    assert.equal(
      body.result.filter(({ name }: { name: string }) => name === 'First order, already paid').length,
      1,
    )
    assert.equal(demo.baseUrl, program.baseUrl, 'scripts find the program’s current address')
    for (const url of [demo.simulatorUrl, demo.ussdUrl]) assert.ok(url.startsWith(`${program.baseUrl}/`), url)
    printed.push(await pagePrinted(program))
    const { code } = await program.stop('SIGTERM')
    assert.equal(code, 0)
    assert.deepEqual(processesOf(cluster()), [])
  })

  test('prints the same payable page, and a new one once it is paid', async () => {
    for (const isPaid of [true, false]) {
      const program = await startProgram(['start'], { DATA_DIR: dataDir })
      printed.push(await pagePrinted(program))
      if (isPaid) {
        const payer = createPayer(checkoutUrl(program)!)
        await payer.pay('m17', '076 123 456')
        await waitUntil(program, async () => (await payer.status()) === 'done')
      }
      assert.equal((await program.stop()).code, 0)
    }
    assert.equal(printed[1], printed[0])
    assert.notEqual(printed[2], printed[0])
  })

  test('works after the program was killed while its PostgreSQL kept running', async () => {
    const killed = await startProgram(['start'], { DATA_DIR: dataDir })
    await killed.stop('SIGKILL')
    const program = await startProgram(['start'], { DATA_DIR: dataDir })
    assert.equal((await call(readDemo(dataDir), 'GET', '/v1/payments')).status, 200)
    assert.equal((await program.stop()).code, 0)
    assert.deepEqual(processesOf(cluster()), [])
  })
})

describe('shutdown', () => {
  test('waits for a request in progress, which gets its response', async () => {
    const { connection, url } = await makeDatabase()
    const folder = makeFolder()
    const program = await startProgram(['start'], { DATA_DIR: folder, DATABASE_URL: url })
    const demo = readDemo(folder)
    const key = 'held up by another transaction'
    const holder = await holdKeys(connection, demo.spaceId, [key])
    const answer = call(demo, 'POST', '/v1/checkout-sessions', order(15_000), { 'idempotency-key': key })
    await waitUntil(program, async () => (await waitingBackends(connection)) > 0)
    const ended = program.stop('SIGTERM')
    await waitUntil(program, () => refusesConnections(program))
    await holder.release()
    assert.equal((await answer).status, 200)
    assert.equal((await ended).code, 0)
  })

  test('does not wait for a browser that connected without a request', async () => {
    const { url } = await makeDatabase()
    const program = await startProgram(['start'], { DATA_DIR: makeFolder(), DATABASE_URL: url })
    const silent = connect(Number(new URL(program.baseUrl).port), '127.0.0.1')
    const half = connect(Number(new URL(program.baseUrl).port), '127.0.0.1')
    for (const socket of [silent, half]) {
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('connect', resolve))
    }
    half.write('GET / HTTP/1.1\r\nhost: x\r\n')
    const closed = [silent, half].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    await fetch(program.baseUrl)
    const ended = program.stop('SIGTERM')
    await Promise.all(closed)
    assert.equal((await ended).code, 0)
  })

  test('is immediate on a second Ctrl-C, and PostgreSQL stops, too', async () => {
    const program = await startProgram(['start'], { DATA_DIR: dataDir })
    const connection = await embeddedConnection()
    const demo = readDemo(dataDir)
    const holder = await holdKeys(connection, demo.spaceId, ['never answered'])
    const answer = call(demo, 'POST', '/v1/checkout-sessions', order(1), {
      'idempotency-key': 'never answered',
    })
    answer.catch(() => {})
    await waitUntil(program, async () => (await waitingBackends(connection)) > 0)
    program.process.kill('SIGINT')
    await waitUntil(program, () => refusesConnections(program))
    const { code, stdout, stderr } = await program.stop('SIGINT')
    assert.equal(code, 130)
    assert.doesNotMatch(stdout + stderr, /\n\s+at /)
    await assert.rejects(answer)
    await holder.release().catch(() => {})
    const begun = Date.now()
    while (processesOf(cluster()).length > 0) {
      assert.ok(Date.now() - begun < 15_000, 'PostgreSQL is still there')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
})

test('a copy of the stopped folder, made as the guide says, is a complete service elsewhere', async () => {
  const [archive, elsewhere] = [path.join(makeFolder(), 'pesewa.tgz'), makeFolder()]
  const list = ['spaces', 'list', '--json']
  const { stdout: before, code } = await runProgram(list, { DATA_DIR: dataDir })
  assert.equal(code, 0)
  execFileSync('tar', ['--dereference', '-czf', archive, '-C', dataDir, 'postgres', 'secret.key'])
  execFileSync('tar', ['-xzf', archive, '-C', elsewhere])
  assert.equal((await runProgram(list, { DATA_DIR: elsewhere })).stdout, before)
  assert.equal((await runProgram(['verify'], { DATA_DIR: elsewhere })).code, 0)
})

test('a node reports when and where it is ready, in a sentence and in the log', async () => {
  const { url } = await makeDatabase()
  const database = { DATABASE_URL: url, DATA_DIR: makeFolder() }
  const messages = {
    serve:
      /^Pesewa is ready at http:\S+ \(listening on 127\.0\.0\.1, port \d+\); other nodes run background jobs\..*\n$/,
    'serve --work': /^Pesewa is ready at http:\S+ \(.*\), with background jobs\..*\n$/,
    work: /^Pesewa is ready: running background jobs\..*\n$/,
  }
  for (const [args, expected] of Object.entries(messages)) {
    const port = await freePort()
    const node = spawnProgram(args.split(' '), { ...database, PORT: String(port) })
    await waitUntil(node, () => node.stdout().includes('\n') && node.stderr().includes('\n'))
    const { code, stdout, stderr } = await node.stop()
    assert.equal(code, 0)
    assert.match(stdout, expected)
    const { time, node: number, nodes = [number], pid, startMs, ...line } = JSON.parse(stderr)
    assert.equal(pid, node.process.pid)
    assert.equal(nodes.length, Number(process.env.PROCESSES ?? 1))
    assert.ok(time > 0 && nodes.every((each: number) => each > 0) && startMs > 0 && startMs < 60_000)
    assert.deepEqual(line, {
      level: 30,
      roles: args === 'serve --work' ? ['serve', 'work'] : [args],
      address: args === 'work' ? null : `127.0.0.1:${port}`,
      baseUrl: `http://localhost:${port}`,
      version: programVersion(),
      msg: 'ready',
    })
  }
})

describe('several nodes on one database', () => {
  test('complete a payment that one accepted and another processes', async () => {
    const { url } = await makeDatabase()
    const shared = { DATABASE_URL: url, SECRET_KEY: 'the same secret on every one of the nodes' }
    const first = await startProgram(['start'], { ...shared, DATA_DIR: makeFolder() })
    const link = checkoutUrl(first)!
    await first.stop()

    const server = await startProgram(['serve'], { ...shared, DATA_DIR: makeFolder() })
    const payer = createPayer(link.replace(first.baseUrl, server.baseUrl))
    await payer.pay('m17', '076 123 456')
    assert.equal(await payer.status(), 'waiting')
    const PORT = new URL(server.baseUrl).port
    const worker = spawnProgram(['work'], { ...shared, PORT, DATA_DIR: makeFolder() })
    await waitUntil(worker, () => worker.stdout().includes('is ready'))
    await waitUntil(server, async () => (await payer.status()) === 'done')
    assert.match((await payer.look()).text, /paid/i)
    for (const node of [worker, server]) {
      const { code, stderr } = await node.stop('SIGTERM')
      assert.equal(code, 0)
      assertOneLine(stderr, /"msg":"ready"/)
    }
  })
})

const residentMegabytes = ({ process: { pid } }: Program) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

async function embeddedConnection() {
  const { runningEmbeddedPostgres } = await import('../../packages/embedded-postgres/src/index.ts')
  return (await runningEmbeddedPostgres(dataDir))!
}
