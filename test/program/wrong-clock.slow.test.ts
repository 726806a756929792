import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { freePort } from '../support/free-port.ts'
import {
  ask,
  call,
  makeDatabase,
  makeShop,
  order,
  type Program,
  partsOf,
  type Shop,
  spawnProgram,
  waitUntil,
} from '../support/program.ts'

let program: Program
let shop: Shop
let connection: pg.ClientConfig
before(async () => {
  const database = await makeDatabase()
  connection = database.connection
  const PORT = String(await freePort())
  program = spawnProgram(
    ['serve'],
    { PORT, DATABASE_URL: database.url, CLOCK_SHIFT_MS: '-90000', LOG_LEVEL: 'error' },
    { nodeFlags: ['--import', fileURLToPath(new URL('../support/shifted-clock.ts', import.meta.url))] },
  )
  shop = await makeShop({ DATABASE_URL: database.url }, program.baseUrl)
  await waitUntil(program, async () => (await fetch(`${program.baseUrl}/healthz`).catch(() => undefined))?.ok)
})

const readyStatus = async () => (await fetch(`${program.baseUrl}/readyz`)).status

test('a node with a wrong clock reads but accepts no changes, and accepts the same request once the clock is correct', async () => {
  assert.equal(await readyStatus(), 503)
  const key = { 'idempotency-key': 'the same' }
  const create = () => call(shop, 'POST', '/v1/checkout-sessions', order(500), key)
  const changes = [
    await create(),
    await call(shop, 'PATCH', '/v1/payments/pay-01kaj3v5w8e4r9tbn2m6c7d0xz', { name: 'x' }),
    await call(shop, 'DELETE', '/v1/webhooks/whk-01kaj3v5w8e4r9tbn2m6c7d0xz'),
    await call(shop, 'POST', '/callbacks/payments/x', {}),
  ]
  for (const { status, headers, body } of changes) {
    assert.deepEqual(
      [status, body.error.reason, headers.get('retry-after')],
      [503, 'service_unavailable', '5'],
    )
    assert.match(body.error.message, /This node's clock is wrong/)
  }
  const page = await fetch(`${program.baseUrl}/pay/x`, { method: 'POST', body: new URLSearchParams() })
  assert.deepEqual([page.status, page.headers.get('content-type')], [503, 'text/html; charset=utf-8'])
  await page.text()
  const [{ count }] = await ask(connection, 'select count(*)::int as count from checkout_sessions')
  assert.equal(count, 0)

  assert.equal((await call(shop, 'GET', '/v1/checkout-sessions')).status, 200)
  assert.equal((await fetch(`${program.baseUrl}/healthz`)).status, 200)

  for (const pid of [program.process.pid!, ...partsOf(program)]) process.kill(pid, 'SIGUSR2')
  await waitUntil(program, async () => (await readyStatus()) === 200)
  const [first, again] = [await create(), await create()]
  assert.deepEqual([first.status, again.body], [200, first.body])
})
