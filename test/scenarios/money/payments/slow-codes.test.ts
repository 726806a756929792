import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

// A rail that asks every payer for a code, and never responds when it gets one.
const atOnce = 20
const timeoutMs = 3_000
let held = 0
const rail = createServer(async (request, response) => {
  const body = JSON.parse((await text(request)) || '{}')
  if (request.url === '/charge/submit_otp') return void held++
  const { reference = request.url?.split('/').at(-1), amount = 15_000, currency = 'GHS' } = body
  const data = { reference, amount, currency, status: 'send_otp', display_text: 'Enter the code' }
  response.end(JSON.stringify({ status: true, message: 'Charge attempted', data }))
}).listen(0, '127.0.0.1')
await once(rail, 'listening')

const folder = mkdtempSync(path.join(tmpdir(), 'slow-codes-'))
const providersFile = path.join(folder, 'providers.json')
const baseUrl = `http://127.0.0.1:${(rail.address() as AddressInfo).port}`
const telecel = { protocol: 'paystack', baseUrl, secretKey: 'sk_live_0123456789abcdef0123', timeoutMs }
writeFileSync(providersFile, JSON.stringify({ connections: { 'telecel-gh': telecel } }))
// Far fewer connections than pending codes.
const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile, DATABASE_POOL_SIZE: '5' } })
after(async () => {
  await t.close()
  rail.closeAllConnections()
  rail.close()
  rmSync(folder, { recursive: true })
})

test('codes that a rail never responds to time out, and hold no database connection until then', async () => {
  const merchant = await t.merchant({ environment: 'live', country: 'GH' })
  const lineItems = [{ name: 'Kente', price: { currency: 'GHS', value: 15_000 } }]
  const begin = async (i: number) => {
    const order = { name: 'Order 42', lineItems }
    const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
    await createPayer(session.redirectUrl).pay('telecel-gh', `020 123 4${100 + i}`)
    return until(async () => {
      const { result } = await read(`/v1/payments?orderNumber=${session.orderNumber}`)
      return result[0]?.instructions?.asksForCode && result[0].id
    })
  }
  const read = async (url: string) => (await merchant.call('GET', url)).body
  const ids = await Promise.all(Array.from({ length: atOnce }, (_, i) => begin(i)))
  const since = performance.now()
  let responded = 0
  const submitted = ids.map((id) =>
    merchant.call('POST', `/v1/payments/${id}/submit-code`, { code: '123456' }).finally(() => responded++),
  )
  await until(() => held === atOnce)
  // A command and reads succeed while all codes are pending.
  const { status } = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 43', lineItems })
  assert.equal(status, 200)
  for (const id of ids) assert.equal((await read(`/v1/payments/${id}`)).result.status, 'processing')
  const { pool } = t.app.parts.db
  await until(() => pool.idleCount === pool.totalCount)
  assert.equal(responded, 0, 'all are still pending')
  const ended = await Promise.all(submitted)
  assert.deepEqual(new Set(ended.map((response) => response.status)), new Set([200]))
  assert.ok(performance.now() - since < 3 * timeoutMs, "each within its message's timeout")
  for (const id of ids) assert.equal((await read(`/v1/payments/${id}`)).result.status, 'processing')
})
