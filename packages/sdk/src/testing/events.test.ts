import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret } from '../../../server/src/events/webhooks/signing.ts'
import { verifyWebhook, WebhookVerificationError } from '../index.ts'
import { signWebhook, testEvent } from './events.ts'

for (const secret of [newSecret(), 'a secret of plain characters, over 32'])
  test(`a test event is signed as the service would sign it: ${secret.slice(0, 6)}`, async () => {
    const event = testEvent('payment.completed', { id: 'pay-1', orderNumber: '42' })
    const { body, headers } = await signWebhook(event, secret)
    const received = await verifyWebhook(body, headers, secret)
    assert.deepEqual(received, event)
    assert.ok(received.type === 'payment.completed' && received.data.orderNumber === '42')
    const old = await signWebhook(event, secret, { at: new Date(Date.now() - 400_000) })
    await assert.rejects(verifyWebhook(old.body, old.headers, secret), WebhookVerificationError)
  })
