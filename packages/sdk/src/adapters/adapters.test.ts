import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { newSecret } from '../../../server/src/events/webhooks/signing.ts'
import { type SignedWebhook, signWebhook, testEvent } from '../testing.ts'
import { verifyWebhook } from '../webhooks.ts'
import { expressWebhook } from './express.ts'
import { fastifyWebhook } from './fastify.ts'
import { fetchWebhook } from './fetch.ts'
import { honoWebhook } from './hono.ts'
import { nextWebhook } from './next.ts'

const secret = newSecret()
const seen: string[] = []
const errors: unknown[] = []
const options = { onError: (error: unknown) => errors.push(error) }
async function onEvent({ id }: { id: string }): Promise<void> {
  if (id === 'evt-bad') throw new Error('The shop failed.')
  seen.push(id)
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * A shop in Express with four webhook routes: one without a body parser, one after `express.raw()`, one after
 * `express.text()`, and one after `express.json()`.
 */
function expressShop() {
  const app = express()
  const webhook = expressWebhook(secret, onEvent, options)
  app.post('/hook', webhook)
  app.post('/raw', express.raw({ type: '*/*' }), webhook)
  app.post('/text', express.text({ type: '*/*' }), webhook)
  app.use(express.json())
  app.post('/parsed', webhook)
  app.post('/orders', ({ body }, response) => void response.json({ parsed: body }))
  return app
}

async function fastifyShop() {
  const app = fastify()
  app.post('/orders', async ({ body }) => ({ parsed: body }))
  await app.register(fastifyWebhook(secret, onEvent, options), { prefix: '/hook' })
  after(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

function honoShop() {
  const app = new Hono()
  app.post('/hook', honoWebhook(secret, onEvent, options))
  app.use('/read', async ({ req }, next) => {
    await req.json()
    await next()
  })
  app.post('/read', honoWebhook(secret, onEvent, options))
  return app
}

const [handleFetch, handleNode] = [
  fetchWebhook(secret, onEvent, options),
  expressWebhook(secret, onEvent, options),
]
const nodeUrl = await serve((request, response) => void handleNode(request, response))
const expressUrl = await serve(expressShop())
const fastifyUrl = await fastifyShop()
const hono = honoShop()
const event = testEvent('payment.completed', { id: 'pay-1' })
const signed = await signWebhook(event, secret)

const post = (url: string, { body, headers }: SignedWebhook) =>
  fetch(url, { method: 'POST', headers, body }).then(({ status }) => status)
const requestOf = ({ body, headers }: SignedWebhook, path = '/hook') =>
  new Request(`http://shop.example${path}`, { method: 'POST', headers, body })

const places: Record<string, (signed: SignedWebhook) => Promise<number>> = {
  'a fetch handler': async (signed) => (await handleFetch(requestOf(signed))).status,
  'the Node HTTP server': (signed) => post(`${nodeUrl}/hook`, signed),
  Express: (signed) => post(`${expressUrl}/hook`, signed),
  'Express after express.raw()': (signed) => post(`${expressUrl}/raw`, signed),
  'Express after express.text()': (signed) => post(`${expressUrl}/text`, signed),
  Fastify: (signed) => post(`${fastifyUrl}/hook`, signed),
  Hono: async (signed) => (await hono.fetch(requestOf(signed))).status,
  'Hono after a middleware that read the body': async (signed) =>
    (await hono.fetch(requestOf(signed, '/read'))).status,
}

for (const [what, send] of Object.entries(places))
  describe(what, () => {
    test('accepts a signed event and responds once it is handled', async () => {
      const event = testEvent('payment.completed', { id: 'pay-1' })
      assert.equal(await send(await signWebhook(event, secret)), 204)
      assert.equal(seen.at(-1), event.id)
    })

    test('refuses an event with a wrong signature without reporting an error', async () => {
      const event = testEvent('payment.completed', { id: 'pay-1' })
      const before = errors.length
      assert.equal(await send(await signWebhook(event, newSecret())), 400)
      assert.equal(await send({ ...(await signWebhook(event, secret)), body: '{}' }), 400)
      assert.notEqual(seen.at(-1), event.id)
      assert.equal(errors.length, before)
    })

    test('responds 500 if the shop fails, so that the event is sent again', async () => {
      const event = { ...testEvent('refund.completed', {}), id: 'evt-bad' }
      const before = errors.length
      assert.equal(await send(await signWebhook(event, secret)), 500)
      assert.match(String(errors.at(-1)), /The shop failed/)
      assert.equal(errors.length, before + 1)
    })
  })

test('other routes still parse JSON', async () => {
  for (const url of [expressUrl, fastifyUrl]) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"a":1}' })
    assert.deepEqual(await response.json(), { parsed: { a: 1 } })
  }
})

test('an oversized body is not read to the end', async () => {
  const large: SignedWebhook = { body: 'x'.repeat(1_100_000), headers: {} }
  for (const what of ['a fetch handler', 'the Node HTTP server', 'Express', 'Hono'])
    assert.equal(await places[what]?.(large), 400, what)
})

test('a missing secret is detected when the shop starts', () => {
  for (const adapter of [expressWebhook, fastifyWebhook, fetchWebhook, honoWebhook, nextWebhook])
    assert.throws(() => adapter('', onEvent), /A secret is required/)
})

describe('a body that was parsed before verification', () => {
  const fixed = async (raw: Parameters<typeof verifyWebhook>[0], headers: Record<string, string>) => {
    const event = await verifyWebhook(raw as Uint8Array, headers, secret)
    return event.id
  }
  // First the body that each framework parses by default and that a shop passes by mistake, then the body that
  // the error message recommends.
  async function inExpress(isRaw: boolean): Promise<unknown> {
    const app = express()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    app.post('/hook', isRaw ? express.raw({ type: '*/*' }) : express.json(), ({ body }, response) => {
      resolve(body)
      response.end()
    })
    await post(`${await serve(app)}/hook`, signed)
    return promise
  }

  async function inFastify(isRaw: boolean): Promise<unknown> {
    const app = fastify()
    if (isRaw)
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    let seenBody: unknown
    app.post('/hook', async ({ body }) => {
      seenBody = body
      return null
    })
    await app.inject({ method: 'POST', url: '/hook', headers: signed.headers, payload: signed.body })
    await app.close()
    return seenBody
  }

  async function inHono(isRaw: boolean): Promise<unknown> {
    const app = new Hono()
    let seenBody: unknown
    app.post('/hook', async ({ req, body }) => {
      seenBody = isRaw ? req.raw : await req.json()
      return body(null)
    })
    await app.fetch(requestOf(signed))
    return seenBody
  }

  for (const [framework, take, names] of [
    ['Express', inExpress, /express\.raw/],
    ['Fastify', inFastify, /addContentTypeParser/],
    ['Hono', inHono, /c\.req\.raw/],
  ] as const)
    test(`is explained for ${framework}, with a fix that works`, async () => {
      const parsed = (await take(false)) as Uint8Array
      await assert.rejects(fixed(parsed, signed.headers), (error: Error) => {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, /already been parsed/)
        assert.match(error.message, new RegExp(`^${framework}: .*${names.source}`, 'm'))
        return true
      })
      const raw = await take(true)
      const verified =
        raw instanceof Request
          ? (await verifyWebhook(raw, secret)).id
          : await fixed(raw as Uint8Array, signed.headers)
      assert.equal(verified, event.id)
    })

  test('is reported by the Express adapter, which responds 500', async () => {
    assert.equal(await post(`${expressUrl}/parsed`, signed), 500)
    assert.match(String(errors.at(-1)), /already been parsed(.|\n)*express\.raw/)
  })

  test('is explained for a Request that was read, and for a framework’s own request object', async () => {
    const request = requestOf(signed)
    await request.json()
    await assert.rejects(verifyWebhook(request, secret), /already been read(.|\n)*Next\.js: .*unread/)
    const app = new Hono()
    app.post('/hook', async (context) => {
      for (const own of [context, context.req])
        await assert.rejects(
          fixed(own as unknown as Uint8Array, signed.headers),
          /framework’s request object(.|\n)*c\.req\.raw/,
        )
      return context.body(null, 204)
    })
    assert.equal((await app.fetch(requestOf(signed))).status, 204)
  })
})
