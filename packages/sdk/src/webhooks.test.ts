import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newKeyPair,
  newSecret,
  readSecret,
  signEd25519,
  signHs256,
} from '../../server/src/events/webhooks/signing.ts'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

const secret = newSecret()
const body = JSON.stringify({ id: 'evt-1', type: 'payment.completed', data: { id: 'pay-1' } })
const now = () => Math.floor(Date.now() / 1_000)

/** Signs as the service does. */
function signed({ by = secret, at = now(), id = 'evt-1', of = body } = {}): Record<string, string> {
  const key = readSecret(by) ?? Buffer.from(by)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${'x'.repeat(43)}= ${signHs256(key, id, at, of)}`,
  }
}
const refused = (headers: Record<string, string>, of = body, by: string | string[] = secret) =>
  assert.rejects(verifyWebhook(of, headers, by), WebhookVerificationError)

describe('a signed event', () => {
  test('is returned for every type of body and headers', async () => {
    const bytes = new TextEncoder().encode(body)
    const headers = signed()
    for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)])
      for (const each of [headers, new Headers(headers), { ...headers, cookie: ['a', 'b'] }]) {
        const event = await verifyWebhook(raw, each, secret)
        assert.equal(event.type === 'payment.completed' && event.data.id, 'pay-1')
      }
    const request = new Request('http://shop.example/hook', { method: 'POST', headers, body })
    assert.equal((await verifyWebhook(request, secret)).id, 'evt-1')
  })

  test('is accepted with any of several secrets, and with plain characters as the secret', async () => {
    const plain = 'a secret of plain characters, over 32'
    assert.equal((await verifyWebhook(body, signed(), [newSecret(), secret])).id, 'evt-1')
    assert.equal((await verifyWebhook(body, signed({ by: plain }), plain)).id, 'evt-1')
  })

  test('is accepted with a public key', async () => {
    const { privateKey, publicKey } = newKeyPair()
    const at = now()
    const headers = { ...signed({ at }), 'webhook-signature': signEd25519(privateKey, 'evt-1', at, body) }
    assert.equal((await verifyWebhook(body, headers, publicKey)).id, 'evt-1')
    await refused(headers, body, newKeyPair().publicKey)
    await refused(headers, body, secret)
    await refused(signed(), body, publicKey)
  })
})

describe('verification refuses', () => {
  const cases: Record<string, () => [headers: Record<string, string>, of?: string, by?: string]> = {
    'a different body': () => [signed(), `${body} `],
    'a different secret': () => [signed(), body, newSecret()],
    'a different id': () => [{ ...signed(), 'webhook-id': 'evt-2' }],
    'a different time': () => [{ ...signed(), 'webhook-timestamp': String(now() - 1) }],
    'an old event': () => [signed({ at: now() - 301 })],
    'an event from the future': () => [signed({ at: now() + 301 })],
    'an invalid time': () => [{ ...signed(), 'webhook-timestamp': 'NaN' }],
    'a missing signature': () => [{ ...signed(), 'webhook-signature': '' }],
    'an invalid signature': () => [{ ...signed(), 'webhook-signature': 'v1,%% v1 , v2,abc' }],
    'missing headers': () => [{}],
    'a body that is not JSON': () => [signed({ of: 'no' }), 'no'],
  }
  for (const [what, given] of Object.entries(cases))
    test(what, async () => {
      const [headers, of, by] = given()
      await refused(headers, of, by)
    })

  test('a parsed body, and explains the fix', async () => {
    await assert.rejects(verifyWebhook(JSON.parse(body), signed(), secret), (error: Error) => {
      assert.ok(error instanceof TypeError)
      for (const framework of ['Express', 'Fastify', 'Next.js', 'Hono'])
        assert.match(error.message, new RegExp(framework))
      return true
    })
  })

  test('a missing secret', async () => {
    for (const none of ['', [], [''], undefined as never])
      await assert.rejects(verifyWebhook(body, signed(), none), /A secret is required/)
  })
})
