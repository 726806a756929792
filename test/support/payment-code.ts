import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { createManualClock } from '@pesewa/connector-kit/simulator'
import type { Payment } from '../../packages/server/src/money/payments/store.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import {
  type CodePayer,
  isRefused,
  payCodes,
  type Refused,
} from '../../packages/server/src/ways-to-pay/payment-codes/paying.ts'
import { codeIds } from '../../packages/server/src/ways-to-pay/payment-codes/resources.ts'
import { type Merchant, type TestApp, until } from './harness.ts'

export const price = (value: number, currency = 'SLE') => ({ currency, value })

/**
 * Returns a function that creates a payment code of 500 SLE, with helpers that pay it as if the payer had
 * dialled it.
 */
export function createCodes(t: TestApp, rail: ReturnType<typeof createManualClock>) {
  const { db, clock, ...parts } = t.app.parts

  return async (more: object = {}, given?: Merchant) => {
    const merchant = given ?? (await t.merchant())
    const { scope } = merchant
    const body = { name: 'School fees', amount: price(500), ...more }
    const made = await merchant.call('POST', '/v1/payment-codes', body)
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const code = made.body.result
    const id = readId(codeIds, code.id)!
    const url = `/v1/payment-codes/${code.id}`
    const read = async () => (await merchant.call('GET', url)).body.result
    const pay = (payer: Partial<CodePayer> = {}, at = clock.now(scope)): Promise<Payment | Refused> =>
      db.transaction(async (tx) => {
        const given = { phoneNumber: '+23276123456', providerId: 'm17', amount: 500n, ...payer }
        const confirmation = { scope, codeId: id, payer: given, at }
        return (await payCodes(tx, parts, scope.environment, [confirmation]))[0]!
      })
    return {
      merchant,
      scope,
      code,
      id,
      number: code.ussdCode.slice(-11, -1) as string,
      read,
      pay,
      begin: async (payer: Partial<CodePayer> = {}, at?: Date): Promise<Payment> => {
        const payment = await pay(payer, at)
        assert.ok(!isRefused(payment), `refused: ${inspect(payment)}`)
        return payment
      },
      change: (change: object) => merchant.call('PATCH', url, change),
      cancel: () => merchant.call('DELETE', url),
      /** Waits until the code has this status, moving the rail's clock by `railMs` at each check. */
      becomes: (status: string, railMs = 300) =>
        until(async () => {
          if ((await read()).status === status) return true
          if (railMs > 0) await rail.advance(railMs)
          return false
        }),
      /** Waits until no payment is in flight, moving the rail's clock by `railMs` at each check. */
      settle: (railMs = 300) =>
        until(async () => {
          await rail.advance(railMs)
          const { spaceId, environment } = scope
          const inFlight = await db.query(sql`
            select payment_id from payment_code_attempts
            where space_id = ${spaceId} and environment = ${environment} and payment_code_id = ${id}`)
          return inFlight.length === 0
        }),
      events: async () => (await t.events(scope, id)).map(({ type }) => type.replace('payment_code.', '')),
    }
  }
}
