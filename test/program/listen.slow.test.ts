import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { newToken } from '../../packages/server/src/tenants/spaces/tokens.ts'
import { follow } from '../support/follow.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/harness.ts'
import {
  assertOneLine,
  call,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  readDemo,
  runProgram,
  type Shop,
  spawnProgram,
  startProgram,
  waitUntil,
} from '../support/program.ts'

const { url: databaseUrl } = await makeDatabase()
const dataDir = path.join(makeFolder(), 'data')
const port = String(await freePort())
const startService = () =>
  startProgram(['start'], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: port })
let service = await startService()
const shop = readDemo(dataDir)
const here = { DATA_DIR: dataDir }
// Waits until the demo shop's first payment is published, so that it precedes all other events.
await until(async () => {
  const { body } = await call(shop, 'GET', '/v1/events?type=checkout_session.completed')
  return JSON.stringify(body.result ?? []).includes('First order, already paid')
})

type PrintedEvent = { id: string; type: string; sequence: number; object: { id: string }; forwarded?: object }

/** Starts `pesewa listen` and waits until it follows the stream. */
async function listen(args: string[] = [], given: Record<string, string> = here) {
  const program = spawnProgram(['listen', ...args], given)
  await waitUntil(program, () => program.stderr().includes('Following'))
  const lines = () => program.stdout().split('\n').slice(0, -1)
  return {
    program,
    lines: (count: number) => waitUntil(program, () => lines().length >= count && lines()),
    /** Waits for this many events in the output of a run with `--json`. */
    events: async (count: number) =>
      waitUntil(
        program,
        () => lines().length >= count && lines().map((line) => JSON.parse(line) as PrintedEvent),
      ),
    async stop(signal?: NodeJS.Signals) {
      const { code, stdout, stderr } = await program.stop(signal)
      assert.equal(code, 0, stderr)
      return { stdout, stderr }
    },
  }
}

/** Creates a session, and retries while rate limits, which are on as for integrators, refuse it. */
const createSession = (of: Shop = shop, metadata: object = {}) =>
  until(async () => {
    const wanted = { ...order(15_000), metadata }
    const { status, body } = await call(of, 'POST', '/v1/checkout-sessions', wanted)
    assert.ok(status === 200 || status === 429)
    return status === 200 && (body.result.id as string)
  })

type Delivery = { url: string; headers: IncomingHttpHeaders; body: string }

const receivers: Server[] = []
after(() => {
  for (const receiver of receivers) receiver.close().closeAllConnections()
})

/** Starts a merchant's webhook endpoint, whose response to each delivery is given by `answer`. */
async function receive(answer: (number: number) => { status: number; headers?: object } | 'never', on = 0) {
  const deliveries: Delivery[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    deliveries.push({ url: request.url!, headers: request.headers, body })
    const wanted = answer(deliveries.length)
    if (wanted === 'never') return
    response.writeHead(wanted.status, { ...wanted.headers }).end('taken')
  })
  receivers.push(receiver)
  await new Promise<void>((resolve) => receiver.listen(on, '127.0.0.1', resolve))
  const { port } = receiver.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/hook`, port, deliveries }
}

const accept = () => ({ status: 200 })
const isoTime = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.source

describe('pesewa listen', () => {
  test('finds the demo shop automatically and prints one line per event, without colours', async () => {
    const listening = await listen()
    const id = await createSession()
    const [line] = await listening.lines(1)
    assert.match(line!, new RegExp(`^${isoTime} {2}checkout_session\\.created +${id}$`))
    const { stderr } = await listening.stop()
    assert.equal(
      stderr,
      `Following the events of Space ${shop.spaceId} at http://localhost:${port}. Press Ctrl-C to stop.\n`,
    )
  })

  test('reads its connection from variables and options, and ends on SIGTERM, too', async () => {
    const other = await makeShop({ DATABASE_URL: databaseUrl }, service.baseUrl)
    const given = { DATA_DIR: makeFolder(), PESEWA_URL: `${service.baseUrl}/`, PESEWA_TOKEN: other.testToken }
    const listening = await listen(['--space', other.spaceId, '--json'], given)
    await createSession()
    const id = await createSession(other)
    const [received] = await listening.events(1)
    assert.equal(received!.object.id, id)
    await listening.stop('SIGTERM')
  })

  test('forwards every event in order, byte for byte, with a valid signature', async () => {
    const receiver = await receive(accept)
    // The scheme can be omitted.
    const listening = await listen([receiver.url.replace('http://', ''), '--json'])
    // Values whose text depends on how they are written.
    await createSession(shop, { b: 'Kɔ "\u2028"', 10: 1.5e-7, 2: 1e21, a: 123456789012345680000 })
    const { code, stderr } = await runProgram(['trigger', 'payment.completed'], here)
    assert.deepEqual([code, stderr], [0, ''])
    const received = await listening.events(8)
    assert.deepEqual(
      receiver.deliveries.map(({ headers }) => headers['webhook-id']),
      received.map(({ id }) => id),
    )
    const [first] = received
    assert.deepEqual(
      received.map(({ sequence }) => sequence - first!.sequence),
      received.map((_, index) => index),
    )
    const secret = /signed with whsec_(\S+)$/m.exec(listening.program.stderr())![1]!
    assert.equal(Buffer.from(secret, 'base64').length, 32)
    for (const delivery of receiver.deliveries) {
      assertSigned(delivery, Buffer.from(secret, 'base64'))
      assert.equal(delivery.headers['content-type'], 'application/json')
    }
    const eventsText = await newestEventsText()
    assert.ok(receiver.deliveries.every(({ body }) => eventsText.includes(body)))
    assert.deepEqual(Object.keys(first!.forwarded!), ['status', 'durationMs'])
    await listening.stop()
  })

  test('signs with the given secret, and prints only the selected types', async () => {
    const receiver = await receive(accept)
    const key = Buffer.alloc(24, 7)
    const listening = await listen([
      ...['--forward-to', receiver.url, '--secret', `whsec_${key.toString('base64')}`],
      ...['--events', 'payment.*,checkout_session.completed'],
    ])
    await runProgram(['trigger', 'checkout_session.completed'], here)
    const lines = await listening.lines(4)
    assert.deepEqual(
      lines.map((line) => /Z {2}(\S+)/.exec(line)![1]),
      ['payment.created', 'payment.processing', 'payment.completed', 'checkout_session.completed'],
    )
    for (const line of lines) assert.match(line, / {2}200 {2}\d+ ms$/)
    for (const delivery of receiver.deliveries) assertSigned(delivery, key)
    const { stderr } = await listening.stop()
    assert.ok(!stderr.includes('whsec_'), 'a secret that is known need not be printed')
  })

  test('starts after the given event', async () => {
    const listening = await listen(['--json'])
    const ids = [await createSession(), await createSession(), await createSession()]
    const [first] = await listening.events(3)
    const again = await listen(['--json', '--since-event', first!.id])
    assert.deepEqual(
      (await again.events(2)).map(({ object }) => object.id),
      ids.slice(1),
    )
    await Promise.all([listening.stop(), again.stop()])
  })

  test('reports a receiver that is down, refuses or redirects, and continues', async () => {
    const awayPort = await freePort()
    const listening = await listen(['--forward-to', `http://localhost:${awayPort}/hook`])
    await createSession()
    const [away] = await listening.lines(1)
    assert.match(away!, / {2}connection refused {2}\d+ ms$/)

    const answers = [{ status: 302, headers: { location: '/elsewhere' } }, { status: 500 }, { status: 204 }]
    const receiver = await receive((number) => answers[number - 1]!, awayPort)
    for (const { status } of answers) {
      const already = receiver.deliveries.length
      await createSession()
      const lines = await listening.lines(already + 2)
      assert.match(lines.at(-1)!, new RegExp(` {2}${status} {2}\\d+ ms$`))
    }
    assert.deepEqual(
      receiver.deliveries.map(({ url }) => url),
      ['/hook', '/hook', '/hook'],
    )
    await listening.stop()
  })

  test('ends immediately even if a receiver never responds', async () => {
    const receiver = await receive(() => 'never')
    const listening = await listen(['--forward-to', receiver.url])
    await createSession()
    await until(() => receiver.deliveries.length === 1)
    const askedAt = Date.now()
    const { stdout } = await listening.stop()
    assert.equal(stdout, '')
    assert.ok(Date.now() - askedAt < 5_000, 'it waited for the receiver')
  })

  test('resumes the stream after a restart, without losing or repeating events', async () => {
    const newcomer = await makeShop({ DATABASE_URL: databaseUrl }, service.baseUrl)
    const receiver = await receive(accept)
    const busy = await listen(['--json', '--forward-to', receiver.url])
    const ids = [await createSession(), await createSession()]
    await busy.events(2)
    // This one has received nothing yet,
    const quiet = await listen(['--json'])
    // and a Space without events has no position to resume from.
    const empty = await listen(['--json'], {
      PESEWA_URL: newcomer.baseUrl,
      PESEWA_TOKEN: newcomer.testToken,
      PESEWA_SPACE: newcomer.spaceId,
    })
    await service.stop()
    const all = [busy, quiet, empty]
    for (const { program } of all)
      await waitUntil(program, () => program.stderr().endsWith('Reconnecting.\n'))
    service = await startService()
    ids.push(await createSession(), await createSession())
    const newId = await createSession(newcomer)
    for (const { program } of all) await waitUntil(program, () => program.stderr().endsWith('Reconnected.\n'))
    ids.push(await createSession())
    const newIds = [newId, await createSession(newcomer)]

    const objects = (events: PrintedEvent[]) => events.map(({ object }) => object.id)
    assert.deepEqual(objects(await busy.events(ids.length)), ids)
    assert.deepEqual(objects(await quiet.events(ids.length - 2)), ids.slice(2))
    assert.deepEqual(objects(await empty.events(newIds.length)), newIds)
    assert.deepEqual(
      receiver.deliveries.map(({ body }) => JSON.parse(body).object.id),
      ids,
    )
    for (const listening of all) await listening.stop()
  })

  test('ends with a message when its token is revoked', async () => {
    const mine = await makeShop({ DATABASE_URL: databaseUrl }, service.baseUrl)
    const operate = async (...args: string[]) =>
      JSON.parse((await runProgram([...args, '--json'], { DATABASE_URL: databaseUrl })).stdout)
    const { tokens } = await operate('tokens', 'list')
    // Ids increase, so the greatest one belongs to the newest token.
    const { userId } = tokens.toSorted((a: PrintedEvent, b: PrintedEvent) => (a.id < b.id ? 1 : -1))[0]
    const wanted = ['--user', userId, '--environment', 'test', '--name', 'to be revoked']
    const { id, token } = await operate('tokens', 'create', ...wanted)
    const { program } = await listen(['--token', token, '--space', mine.spaceId])
    await operate('tokens', 'revoke', id)
    await until(async () => (await call({ ...mine, testToken: token }, 'GET', '/v1/payments')).status === 401)
    // A stream ends when an event is due that the token has no permission to read.
    await createSession(mine)
    const { code, stdout, stderr } = await program.ended
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, / returned 401: The access token is not valid\.\n$/)
  })
})

describe('pesewa trigger', () => {
  test('triggers every supported type and waits for its event', async () => {
    const { stdout: listed } = await runProgram(['trigger', '--list'], here)
    const types = listed.trimEnd().split('\n')
    assert.equal(types.length, 35)
    const following = await follow(service.baseUrl, { token: shop.testToken, spaceId: shop.spaceId })
    const { code, stdout, stderr } = await runProgram(['trigger', ...types], here)
    assert.deepEqual([code, stderr], [0, ''])
    const ids = [...stdout.matchAll(/received event (evt-\w{26}) for \S+$/gm)].map((match) => match[1]!)
    const triggered = await until(() => {
      const events = ids.map((id) => following.received.find((event) => event.id === id))
      return events.every((event) => event !== undefined) && events
    })
    assert.deepEqual(
      triggered.map(({ type }) => type),
      types,
    )
    following.close()
  })

  test('approves the prompt if the paying phone is set to ask', async () => {
    const number = '+23276123456'
    const setMode = (mode: string) =>
      fetch(`${service.baseUrl}/simulator/handsets/mode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ number, mode }),
      })
    assert.equal((await setMode('ask')).status, 200)
    const types = ['payment.completed', 'payment_code.completed']
    const { code, stdout, stderr } = await runProgram(['trigger', ...types], here)
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(stdout.match(/ {2}approved the prompt on \+23276123456\n/g)?.length, 2)
    await setMode('approve')
  })

  test('creates money and accounts if there are none', async () => {
    const poor = await makeShop({ DATABASE_URL: databaseUrl }, service.baseUrl)
    const given = {
      PESEWA_URL: poor.baseUrl,
      PESEWA_TOKEN: poor.testToken,
      PESEWA_SPACE: poor.spaceId,
    }
    const { code, stdout, stderr } = await runProgram(['trigger', 'internal_transfer.completed'], given)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(
      stdout,
      /^internal_transfer\.completed\n {2}created checkout session cos-.*\n {2}paid on the .*\n {2}opened account fac-.* in SLE\n {2}created transfer trn-.*, completed\n {2}received event evt-\w+ for trn-\w+\n$/,
    )
  })
})

describe('pesewa listen and pesewa trigger', () => {
  test('refuse in one line, with exit code 1', async () => {
    const stranger = await receive(() => ({ status: 404 }))
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const nothing = { DATA_DIR: makeFolder() }
    const spoilt = { DATA_DIR: makeFolder() }
    writeFileSync(path.join(spoilt.DATA_DIR, 'demo.json'), '{')
    const noEvent = `evt-${'0'.repeat(26)}`
    const trigger = ['trigger', 'payment.completed']
    const refused: [string[], Record<string, string>, RegExp][] = [
      [['listen'], nothing, /^No token: add --token, set PESEWA_TOKEN, or run npm start here first/],
      [['listen', '--token', shop.testToken], nothing, /^No space: add --space/],
      [['listen'], spoilt, /demo\.json is not valid JSON/],
      [['listen', '--token', newToken('test')], here, / returned 401: The access token is not valid/],
      [['listen', '--token', 'psw_test_x'], here, /^The access token is malformed/],
      [
        ['listen', '--space', `spc-${'0'.repeat(26)}`],
        here,
        / returned 403: You do not have permission to do this in this/,
      ],
      [['listen', '--space', 'shop'], here, /^"shop" is not a valid Space id/],
      [['listen', '--url', nowhere], here, new RegExp(`^${nowhere} is not responding: connection refused`)],
      [
        ['listen', '--url', new URL(stranger.url).origin],
        here,
        / returned 404: The response is not from a Pesewa service\./,
      ],
      [['listen', '--url', 'localhost:8080'], here, /must be a URL that starts with http/],
      [['listen', 'ftp://localhost/hook'], here, /must be an address such as localhost:3000\/hook/],
      [['listen', '--forward-to', 'local host'], here, /must be an address such as localhost:3000\/hook/],
      [
        ['listen', '--events', 'payment.*,payment.done'],
        here,
        /Unknown event type "payment\.done"\. Use one of: \*, (?:\w+\.\*, )*checkout_session\.\*, /,
      ],
      [
        ['listen', '--events', 'payments.completed'],
        here,
        /Unknown event type "payments\.completed"\. Did you mean payment\.completed\?/,
      ],
      [['listen', '--since-event', 'evt-x'], here, /must be an event id; it must start with evt-/],
      [
        ['listen', '--since-event', noEvent],
        here,
        / returned 400: .*: Last-Event-ID does not name an event in this Space/,
      ],
      [
        ['listen', '--forward-to', nowhere, '--secret', 'whsec_c2hvcnQ='],
        here,
        /^--secret must be whsec_ followed by/,
      ],
      [['listen', '--secret', `whsec_${'A'.repeat(32)}`], here, /requires --forward-to/],
      [['listen', '--bogus'], here, /unknown option '--bogus'/],
      [['trigger'], here, /^Specify an event type: checkout_session\.created, /],
      [['trigger', 'recall.returned'], here, /^recall\.returned cannot be triggered\. Available: checkout/],
      [
        ['trigger', 'payment.complete'],
        here,
        /^Unknown event type "payment\.complete"\. Did you mean payment\.completed\?/,
      ],
      [['trigger', 'toString'], here, /^toString cannot be triggered/],
      [[...trigger, '--token', shop.liveToken], here, /^This is a live token/],
      [trigger, { ...here, PESEWA_TOKEN: shop.liveToken }, /^This is a live token/],
      [[...trigger, '--token', newToken('test')], here, / returned 401: The access token is not valid/],
      [[...trigger, '--url', nowhere], here, / is not responding: connection refused/],
    ]
    for (const [args, given, expected] of refused) {
      const { code, stdout, stderr } = await runProgram(args, given)
      assertOneLine(stderr, expected)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    }
  })
})

/** Computes the Standard Webhooks signature independently. */
function assertSigned({ headers, body }: Delivery, key: Buffer): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  assert.equal(signature, `v1,${expected}`)
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1_000) < 60)
  assert.equal(JSON.parse(body).id, id)
}

/** Returns the newest events as the text that GET returns. */
async function newestEventsText(): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/v1/events?limit=50`, {
    headers: { authorization: `Bearer ${shop.testToken}`, 'service-space-id': shop.spaceId },
  })
  return answer.text()
}
