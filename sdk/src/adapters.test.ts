import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import fastify from 'fastify'
import { newSecret } from '../../src/events/webhooks/signing.ts'
import { expressWebhook, fastifyWebhook, fetchWebhook } from './adapters.ts'
import { type SignedWebhook, signWebhook, testEvent } from './testing.ts'

const secret = newSecret()
const seen: string[] = []
const errors: unknown[] = []
const options = { onError: (error: unknown) => errors.push(error) }
async function onEvent({ id }: { id: string }): Promise<void> {
  if (id.includes('bad')) throw new Error('The shop’s own fault.')
  seen.push(id)
}

const handleFetch = fetchWebhook(secret, onEvent, options)
const handleNode = expressWebhook(secret, onEvent, options)
const server = createServer((request, response) => void handleNode(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
const app = fastify()
app.post('/orders', async ({ body }) => ({ parsed: body }))
await app.register(fastifyWebhook(secret, onEvent, options), { prefix: '/hook' })
const fastifyUrl = await app.listen({ port: 0, host: '127.0.0.1' })
after(async () => {
  server.close()
  server.closeAllConnections()
  await app.close()
})

const post = async (url: string, { body, headers }: SignedWebhook) =>
  (await fetch(url, { method: 'POST', headers, body })).status

const places: Record<string, (signed: SignedWebhook) => Promise<number>> = {
  'a Request (Next.js, Hono, Workers)': async ({ body, headers }) =>
    (await handleFetch(new Request('http://shop.example/hook', { method: 'POST', headers, body }))).status,
  'Node’s own server (Express)': (signed) =>
    post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, signed),
  'Express, after express.raw()': async ({ body, headers }) => {
    const response = { statusCode: 0, end: () => {} }
    await handleNode(Object.assign(emptyStream(), { headers, body: Buffer.from(body) }), response)
    return response.statusCode
  },
  Fastify: (signed) => post(`${fastifyUrl}/hook`, signed),
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {}

for (const [what, send] of Object.entries(places))
  describe(what, () => {
    test('passes on what the service signed, and responds when that is done', async () => {
      const event = testEvent('payment.completed', { id: 'pay-1' })
      assert.equal(await send(await signWebhook(event, secret)), 204)
      assert.equal(seen.at(-1), event.id)
    })

    test('refuses what it did not sign', async () => {
      const event = testEvent('payment.completed', { id: 'pay-1' })
      const signed = await signWebhook(event, newSecret())
      assert.equal(await send(signed), 400)
      assert.equal(await send({ ...(await signWebhook(event, secret)), body: '{}' }), 400)
      assert.notEqual(seen.at(-1), event.id)
    })

    test('lets an event come again that the shop could not take', async () => {
      const event = { ...testEvent('refund.completed', {}), id: 'evt-bad' }
      const before = errors.length
      assert.equal(await send(await signWebhook(event, secret)), 500)
      assert.match(String(errors.at(-1)), /own fault/)
      assert.equal(errors.length, before + 1)
    })
  })

test('beside a webhook Fastify reads JSON elsewhere as it did', async () => {
  const response = await fetch(`${fastifyUrl}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  assert.deepEqual(await response.json(), { parsed: { a: 1 } })
})

test('more than an event can be is not read to its end', async () => {
  const status = await places['Node’s own server (Express)']?.({ body: 'x'.repeat(1_100_000), headers: {} })
  assert.equal(status, 400)
})

test('a body that was parsed before is a mistake of the shop’s, and is named', async () => {
  const { headers } = await signWebhook(testEvent('payment.completed', {}), secret)
  const request = Object.assign(emptyStream(), { headers, body: { id: 'evt-1' } })
  await assert.rejects(handleNode(request, { statusCode: 0, end: () => {} }), /express\.raw/)
})
