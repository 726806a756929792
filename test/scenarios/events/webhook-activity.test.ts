import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Environment } from '../../../packages/server/src/platform/scope.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { type Hook, startHook } from '../../support/hook.ts'

const t = await startTestApp()
const hooks: Hook[] = []
after(async () => {
  await t.close()
  await Promise.all(hooks.map((hook) => hook.close()))
})
const { clock } = t.app.parts

const hourMs = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
type Shown = any

/** Creates a Space with one endpoint. */
async function shop(more: object = {}, environment: Environment = 'test') {
  const merchant = await t.merchant({ environment })
  const hook = await startHook()
  hooks.push(hook)
  const body = { name: 'Shop', url: hook.url, events: ['*'], headers: { 'x-key': 'secret' }, ...more }
  const answer = await merchant.call('POST', '/v1/webhooks', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const webhook = answer.body.result
  const read = async (as: Merchant = merchant): Promise<Shown> =>
    (await as.call('GET', `/v1/webhooks/${webhook.id}?withActivity=true`)).body.result
  /** Pings the endpoint, and waits until this many attempts have been counted. */
  const ping = async (attempts: number) => {
    await merchant.call('POST', `/v1/webhooks/${webhook.id}/ping`, {})
    return until(async () => {
      const { lastDay } = await read()
      return lastDay.delivered + lastDay.failed >= attempts && lastDay
    })
  }
  const deliveries = async (): Promise<Shown[]> =>
    (await merchant.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.result
  return { merchant, hook, webhook, read, ping, deliveries }
}

describe('the last day of a webhook', () => {
  test('has 24 hours with the attempts that were accepted and that failed, in objects and in lists', async () => {
    const { merchant, hook, webhook, read, ping } = await shop()
    const fresh = await read()
    assert.equal(fresh.lastDay.hours.length, 24)
    assert.deepEqual(
      [fresh.lastDay.delivered, fresh.lastDay.failed, fresh.lastDay.successRate, fresh.lastDay.lastError],
      [0, 0, null, null],
    )
    const times = fresh.lastDay.hours.map(({ time }: Shown) => Date.parse(time))
    const now = clock.now(merchant.scope).getTime()
    assert.deepEqual(
      times,
      times.map((_: number, i: number) => (Math.floor(now / hourMs) - 23 + i) * hourMs),
    )
    await ping(1)
    hook.answer = 503
    const lastDay = await ping(2)
    assert.deepEqual([lastDay.delivered, lastDay.failed, lastDay.successRate], [1, 1, 0.5])
    assert.equal(lastDay.hours.at(-1).delivered + lastDay.hours.at(-2).delivered, 1)
    assert.deepEqual([lastDay.lastError.statusCode, lastDay.lastError.error], [503, null])
    const [listed] = (await merchant.call('GET', '/v1/webhooks?withActivity=true')).body.result
    assert.deepEqual([listed.id, listed.lastDay.failed], [webhook.id, 1])
  })

  test('forgets attempts after 24 hours, and starts the same hour of the next day at zero', async () => {
    const { merchant, hook, read, ping } = await shop()
    hook.answer = 500
    await ping(1)
    hook.answer = 200
    await t.advance(merchant.scope, 23 * hourMs)
    // The failed delivery is retried and accepted.
    const lastDay = await until(async () => {
      const { lastDay } = await read()
      return lastDay.delivered > 0 && lastDay
    })
    assert.ok(lastDay.failed >= 1)
    await t.advance(merchant.scope, 25 * hourMs)
    assert.deepEqual(
      (await read()).lastDay.hours.filter(({ failed }: Shown) => failed > 0),
      [],
    )
    await ping(1)
    assert.deepEqual([(await read()).lastDay.failed, (await read()).lastDay.lastError], [0, null])
  })

  test('counts only attempts to this webhook of this Space', async () => {
    const [one, other] = [await shop(), await shop()]
    await one.ping(1)
    assert.equal((await other.read()).lastDay.delivered, 0)
    assert.equal((await other.merchant.call('GET', `/v1/webhooks/${one.webhook.id}`)).status, 404)
  })
})

describe('a delivery', () => {
  test('shows the request, whose signature is valid now, and the response to a failed attempt', async () => {
    const { merchant, hook, webhook, ping, deliveries } = await shop()
    hook.answer = { status: 422, headers: { 'x-trace': 'abc', 'set-cookie': 'id=7' }, body: 'no such order' }
    await ping(1)
    const [{ id, request: listed }] = await deliveries()
    assert.equal(listed, undefined)
    const { request, attempts } = (await merchant.call('GET', `/v1/deliveries/${id}`)).body.result
    assert.deepEqual([request.method, request.url], ['POST', hook.url])
    const headers = Object.fromEntries(request.headers.map(({ name, value }: Shown) => [name, value]))
    assert.equal(headers['x-key'], 'secret')
    const verified: Shown = new Webhook(webhook.verificationMethod.secret).verify(request.body, headers)
    assert.equal(verified.type, 'webhook.ping')
    assert.equal(request.body, hook.received[0]!.text)
    const [attempt] = attempts
    assert.deepEqual([attempt.statusCode, attempt.responseBody], [422, 'no such order'])
    const names = attempt.responseHeaders.map(({ name }: Shown) => name)
    assert.ok(names.includes('x-trace') && !names.includes('set-cookie'))
  })

  test('shows no headers of a response that accepted the event', async () => {
    const { ping, deliveries } = await shop()
    await ping(1)
    assert.equal((await deliveries())[0].attempts[0].responseHeaders, null)
  })

  test('hides the signature and custom headers from callers who cannot change webhooks, and the rest from support', async () => {
    const { merchant, hook, ping, deliveries } = await shop()
    hook.answer = { status: 500, headers: { 'x-trace': 'abc' } }
    await ping(1)
    const [{ id }] = await deliveries()
    const as = async (role: string) =>
      (await (await t.merchant({ sameSpaceAs: merchant, role })).call('GET', `/v1/deliveries/${id}`)).body
        .result
    const viewer = await as('viewer')
    const shown = Object.fromEntries(viewer.request.headers.map(({ name, value }: Shown) => [name, value]))
    assert.deepEqual([shown['x-key'], shown['webhook-signature']], ['****', '****'])
    assert.equal(shown['content-type'], 'application/json')
    const support = await as('support')
    assert.equal(support.request.body, '****')
    const values = [...support.request.headers, ...support.attempts[0].responseHeaders]
    assert.deepEqual([...new Set(values.map(({ value }: Shown) => value))], ['****'])
  })
})

describe('POST /v1/webhooks/:id/send-example', () => {
  test('sends a signed example of any event type, marked as one, and shows the outcome', async () => {
    const { merchant, hook, webhook, read } = await shop({ events: ['payout.completed'] })
    const example = (eventType: string) =>
      merchant.call('POST', `/v1/webhooks/${webhook.id}/send-example`, { eventType })
    assert.equal((await example('payment.completed')).status, 200)
    const sent = await until(() => hook.received[0])
    const event: Shown = new Webhook(webhook.verificationMethod.secret).verify(
      sent.text,
      sent.headers as Record<string, string>,
    )
    assert.deepEqual(
      [event.type, event.isExample, event.data.status],
      ['payment.completed', true, 'completed'],
    )
    assert.deepEqual([event.spaceId, event.environment], [merchant.spaceId, 'test'])
    const { lastExample } = await until(async () => {
      const one = await read()
      return one.lastExample && one
    })
    assert.deepEqual([lastExample.eventType, lastExample.statusCode], ['payment.completed', 200])
    hook.answer = { status: 500, body: 'bug' }
    await example('refund.failed')
    await until(async () => (await read()).lastExample.responseBody === 'bug')
    assert.notEqual(hook.received[1]!.event.id, event.id)
    // An example is not an event: no list contains it, and a failure is neither counted nor retried.
    assert.deepEqual((await merchant.call('GET', '/v1/events')).body.result, [])
    const { failingSinceTime, lastDay } = await read()
    assert.deepEqual([failingSinceTime, lastDay.failed], [null, 0])
  })

  test('can send an example of every event type', async () => {
    const { merchant, hook, webhook } = await shop()
    const { webhooks }: Shown = await (await fetch(`${t.baseUrl}/openapi.json`)).json()
    const types = Object.keys(webhooks).filter((type) => type !== 'webhook.ping')
    assert.ok(types.length > 20)
    for (const [i, eventType] of types.entries()) {
      const { status } = await merchant.call('POST', `/v1/webhooks/${webhook.id}/send-example`, { eventType })
      assert.equal(status, 200, eventType)
      await until(() => hook.received.length > i)
    }
    assert.deepEqual(
      hook.received.map(({ event }) => event.type),
      types,
    )
  })

  test('is refused for an unknown type, another Space, a disabled webhook, and in live', async () => {
    const { merchant, webhook } = await shop()
    const path = `/v1/webhooks/${webhook.id}/send-example`
    const as = async (one: Merchant, eventType: unknown) =>
      (await one.call('POST', path, { eventType })).status
    for (const eventType of ['payment.done', '*', 'payment.*', 'webhook.ping', 7])
      assert.equal(await as(merchant, eventType), 400, String(eventType))
    assert.equal(await as(await t.merchant(), 'payment.completed'), 404)
    const support = await t.merchant({ sameSpaceAs: merchant, role: 'support' })
    assert.equal(await as(support, 'payment.completed'), 403)
    await merchant.call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
    assert.equal(await as(merchant, 'payment.completed'), 409)
    const live = await t.merchant({ environment: 'live' })
    const body = { name: 'Shop', url: 'https://shop.example/hook', events: ['*'] }
    const { id } = (await live.call('POST', '/v1/webhooks', body)).body.result
    const answer = await live.call('POST', `/v1/webhooks/${id}/send-example`, {
      eventType: 'payment.completed',
    })
    assert.deepEqual([answer.status, answer.body.error.reason], [409, 'state_conflict'])
  })
})
