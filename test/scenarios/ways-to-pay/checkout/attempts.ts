import type { ManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, type TestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
export type Shown = any

export const total = 15_000
export const fee = 150

/** Opens a session for Le 150.00, whose payer can start several attempts. */
export async function openAttempts(t: TestApp, rail: ManualClock, merchant: Merchant, more: object = {}) {
  const read = async (path: string): Promise<Shown> => (await merchant.call('GET', path)).body.result
  const body = {
    name: 'Order 42',
    lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: total } }],
    ...more,
  }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
  return {
    ...followAttempts(t, rail, merchant, session),
    session,
    payer: createPayer(session.redirectUrl),
    read,
  }
}

/** Returns functions that read a session's attempts, oldest first, and their refunds. */
export function followAttempts(
  t: TestApp,
  rail: ManualClock,
  merchant: Merchant,
  session: { id: string; orderNumber: string },
) {
  const read = async (path: string): Promise<Shown> => (await merchant.call('GET', path)).body.result
  const payments = async (): Promise<Shown[]> =>
    (await read(`/v1/payments?orderNumber=${session.orderNumber}`)).toReversed()
  const refunds = (): Promise<Shown[]> => read(`/v1/refunds?q=${session.orderNumber}`)
  return {
    payments,
    refunds,
    refundsOf: async (paymentId: string) =>
      (await refunds()).filter((refund: Shown) => refund.paymentId === paymentId),
    status: async () => (await read(`/v1/checkout-sessions/${session.id}`)).status as string,
    statuses: async () => (await payments()).map(({ status }) => status),
    /** Waits until the rail has every attempt, and then moves its clock. */
    async pass(ms: number) {
      await until(async () => {
        const { spaceId, environment } = merchant.scope
        const waiting = await t.app.parts.db.query(sql`
          select 1 from instructions
          where space_id = ${spaceId} and environment = ${environment} and state in ('created', 'submitting')`)
        return waiting.length === 0
      })
      await rail.advance(ms)
    },
  }
}
