import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName } from './nearest.ts'

const types = ['payment.completed', 'payment.created', 'payment.*', 'payment_code.completed', 'refund.failed']

for (const [typed, meant] of [
  ['payment.complete', 'payment.completed'],
  ['payments.completed', 'payment.completed'],
  ['payment_completed', 'payment.completed'],
  ['PaymentCompleted', 'payment.completed'],
  ['paymnet.created', 'payment.created'],
  ['paymentcode.completed', 'payment_code.completed'],
  ['refunds.failed', 'refund.failed'],
  ['recall.returned', undefined],
  ['toString', undefined],
  ['', undefined],
] as const)
  test(`"${typed}" means ${meant ?? 'none of the names'}`, () => {
    assert.equal(nearestName(typed, types), meant)
  })
