import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import { holdKeys, waitingBackends } from '../support/held-requests.ts'
import {
  call,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  type Program,
  startProgram,
  waitUntil,
} from '../support/program.ts'

// A node that shuts down leaves a load balancer time to notice.

async function open(processes: string, drainSeconds: string) {
  const { connection, url } = await makeDatabase()
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: makeFolder(),
    PROCESSES: processes,
    DRAIN_SECONDS: drainSeconds,
  }
  const program = await startProgram(['serve', '--work'], settings)
  return { program, connection, shop: await makeShop(settings, program.baseUrl) }
}

const readiness = async ({ baseUrl }: Program) => {
  const { status, body } = await read(`${baseUrl}/readyz`, new Agent())
  return `${status} ${body}`
}

/** Reads a page over the connections of an agent. */
const read = (url: string, agent: Agent) =>
  new Promise<{ status: number; body: string; connection: string | undefined }>((resolve, reject) => {
    get(url, { agent }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => (body += text))
      const { statusCode: status = 0, headers } = response
      response.once('end', () => resolve({ status, body, connection: headers.connection }))
    }).once('error', reject)
  })

test('it serves requests on new and kept connections while each of its processes reports that it is not ready', async () => {
  const { program, shop } = await open('2', '300')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const page = `${program.baseUrl}/healthz`
  assert.equal((await read(page, agent)).connection, 'keep-alive')
  program.process.kill('SIGTERM')
  // Each connection reaches another process in turn.
  await waitUntil(program, async () => (await readiness(program)).startsWith('503'))
  await waitUntil(program, async () => (await readiness(program)).startsWith('503'))
  assert.equal(await readiness(program), '503 {"status":"unavailable","reason":"the node is shutting down"}')
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await read(page, agent), { status: 200, body: '{"status":"ok"}', connection: 'close' })
  assert.equal((await call(shop, 'POST', '/v1/checkout-sessions', order(100))).status, 200)
  // A second signal ends it without waiting.
  assert.equal((await program.stop('SIGTERM')).code, 143)
})

test('a request in progress gets its response, and a stream ends when the node closes', async () => {
  const { program, connection, shop } = await open('1', '1')
  const holder = await holdKeys(connection, shop.spaceId, ['held'])
  const answer = call(shop, 'POST', '/v1/checkout-sessions', order(100), { 'idempotency-key': 'held' })
  await waitUntil(program, async () => (await waitingBackends(connection)) > 0)
  const headers = { authorization: `Bearer ${shop.testToken}`, 'service-space-id': shop.spaceId }
  const stream = await fetch(`${program.baseUrl}/v1/events/stream`, { headers })
  const ended = program.stop('SIGTERM')
  assert.match(await stream.text(), /\n: the node is shutting down; reconnect\nretry: \d+\n\n$/)
  await holder.release()
  const { status, headers: sent } = await answer
  assert.deepEqual([status, sent.get('connection')], [200, 'close'])
  assert.equal((await ended).code, 0)
})
