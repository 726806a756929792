import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Pesewa } from '../../packages/sdk/src/index.ts'
import { createPayer } from '../support/payer.ts'
import { order, type Shop } from '../support/program.ts'

/** Keeps the load constant, so that it does not depend on how fast the machine is. */
const gapMs = 40
const clients = { transferring: 2, paying: 2, listing: 1 }
const maxRows = 100_000

export type Load = ReturnType<typeof startLoad>

/**
 * Keeps using a service as integrators and payers do: transfers, payments, lists and an event stream. Nothing is
 * retried, except that the stream reconnects.
 */
export function startLoad(shop: Shop, [source, destination]: [string, string]) {
  const failures: string[] = []
  const transfers = new Map<string, string>()
  const paidOrders: string[] = []
  const events: string[] = []
  const leaving = new AbortController()
  let requests = 0
  let isEnough = false

  const pesewa = new Pesewa({
    ...{ baseUrl: shop.baseUrl, token: shop.testToken, space: shop.spaceId, maxRetries: 0 },
    onResponse({ path, status, requestId }) {
      requests++
      if (status !== 200 && !path.endsWith('/stream')) failures.push(`${path}: ${status} ${requestId}`)
    },
  })

  const works = {
    async transferring() {
      const idempotencyKey = randomUUID()
      const amount = { currency: 'SLE', value: 1 }
      const { id } = await pesewa.internalTransfers.create(
        { sourceFinancialAccount: { id: source }, destinationFinancialAccount: { id: destination }, amount },
        { idempotencyKey },
      )
      transfers.set(idempotencyKey, id)
    },
    async paying() {
      const { redirectUrl, orderNumber } = await pesewa.checkoutSessions.create(order(100) as never)
      const payer = createPayer(redirectUrl)
      const { status } = await payer.pay('m17', '076 123 456')
      assert.ok(status < 400, `the payment form got ${status}`)
      while ((await payer.status()) !== 'done') await pause(gapMs)
      paidOrders.push(orderNumber)
    },
    async listing() {
      await pesewa.internalTransfers.list({ limit: 20 }).page()
      await pesewa.financialTransactions.list({ limit: 20 }).page()
      await pesewa.payments.list({ limit: 20 }).page()
    },
  }
  const rounds = { transferring: 0, paying: 0, listing: 0 }

  const running = Object.entries(clients).flatMap(([kind, count]) =>
    Array.from({ length: count }, async () => {
      // Safe: these are the names of the works.
      const name = kind as keyof typeof works
      while (!isEnough) {
        await works[name]().catch((error) => failures.push(`${name}: ${error.stack} ${error.cause}`))
        rounds[name]++
        await pause(gapMs)
      }
    }),
  )
  const following = (async () => {
    for await (const { id } of pesewa.events.stream({ signal: leaving.signal })) events.push(id)
  })()

  return {
    failures,
    requests: () => requests,
    paidOrders,
    events,
    /** Returns the number of rounds of the client that has made the fewest. */
    progress: () => Math.min(...Object.values(rounds)),
    async stop() {
      isEnough = true
      await Promise.all(running)
    },
    leave: () => leaving.abort(),
    /** Asserts that everything that was acknowledged took effect exactly once. */
    async check() {
      const made = await pesewa.internalTransfers.list().all({ limit: maxRows })
      assert.deepEqual(made.map(({ id }) => id).sort(), [...transfers.values()].sort())
      assert.ok(made.every(({ status }) => status === 'completed'))
      const payments = await pesewa.payments.list().all({ limit: maxRows })
      const ofLoad = payments.filter(({ amount }) => amount.value === 100)
      assert.deepEqual(ofLoad.map(({ orderNumber }) => orderNumber).sort(), [...paidOrders].sort())
      assert.ok(payments.every(({ status }) => status === 'completed'))
      const account = await pesewa.financialAccounts.retrieve(destination, { withBalance: true })
      assert.equal(account.balance?.available.value, transfers.size)
    },
    /** Waits until the stream has delivered all events, and asserts that it has delivered each of them once. */
    async checkEvents(isMet: (look: () => Promise<boolean>) => Promise<unknown>) {
      const all = (await pesewa.events.list().all({ limit: maxRows })).map(({ id }) => id).reverse()
      const first = events[0] ?? ''
      await isMet(async () => events.includes(all.at(-1) ?? ''))
      leaving.abort()
      await following
      assert.deepEqual(events, all.slice(all.indexOf(first)))
    },
  }
}
