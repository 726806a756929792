import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { Pool } from 'undici'
import { readId } from '../packages/server/src/platform/ids.ts'
import { sessionIds } from '../packages/server/src/ways-to-pay/checkout/resources.ts'
import type { Shop } from './books.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'
import { openWatch, watchedRows, watchKey } from './watch.ts'

// A merchant and payers, in their own process. One `submit` creates a session over the API, loads the page,
// submits its form and waits until the session is completed. Its latency counts from the form.

export type PaymentsTask = {
  connection: ClientConfig
  origin: string
  /** Merchants; used in turn. */
  shops: Shop[]
  /** Number of additional payers through a rail that hangs; each gives up after a while and tries again. */
  hangingPayers: number
  /** Whether the merchant polls the session twice a second; otherwise the database is watched. */
  isPolled: boolean
  pace: Pace
}

/** Connections of the payers, who share them as they would share a proxy. */
const maxConnections = 256
const lookEveryMs = 20
const pollEveryMs = 500
const giveUpMs = 5_000

const rail = { provider: 'm17', prefix: '076' }
const hangingRail = { provider: 'm18', prefix: '077' }

const completed = watchedRows('checkout_sessions', "status = 'completed'")

onTask<PaymentsTask>(async (task, tell) => {
  const { connection, hangingPayers, isPolled, pace } = task
  const { newSession, readPage, pay, poll } = openMarket(task)
  const watch = await openWatch(connection, lookEveryMs, completed)
  const submit = async (_lane: number, begun: () => void) => {
    const { shop, id, page } = await newSession()
    const formToken = await readPage(page)
    begun()
    await pay(page, rail, formToken)
    if (isPolled) await poll(shop, id)
    else await watch.of(watchKey(shop.scope, readId(sessionIds, id)!))
  }
  const hanging = new AbortController()
  const payHanging = async () => {
    const { page } = await newSession()
    await pay(page, hangingRail, await readPage(page))
  }
  const comeAgain = async () => {
    for (;;) {
      // An immediate message that this rail is not responding is fine, too.
      await payHanging().catch(() => {})
      await sleep(giveUpMs, undefined, { signal: hanging.signal })
    }
  }
  for (let payer = 0; payer < hangingPayers; payer++) void comeAgain().catch(() => {})
  const figures = await keepPace(submit, pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  hanging.abort()
  await tell({ kind: 'measured', figures })
  await watch.close()
})

function openMarket({ origin, shops, pace, hangingPayers }: PaymentsTask) {
  const connections = Math.min(pace.lanes + hangingPayers, maxConnections)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  let sold = 0
  const merchant = ({ token, shownSpaceId }: Shop) => ({
    authorization: `Bearer ${token}`,
    'service-space-id': shownSpaceId,
  })
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    status: number,
    headers: Record<string, string>,
    body?: string,
  ) => {
    const answer = await pool.request({ method, path, headers, ...(body !== undefined && { body }) })
    const text = await answer.body.text()
    if (answer.statusCode !== status)
      throw new Error(`${method} ${path.slice(0, 20)} returned ${answer.statusCode}: ${text.slice(0, 300)}`)
    return text
  }
  return {
    async newSession() {
      const shop = shops[sold++ % shops.length]!
      const headers = {
        ...merchant(shop),
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      }
      const { result } = JSON.parse(await ask('POST', '/v1/checkout-sessions', 200, headers, order))
      return { shop, id: result.id as string, page: new URL(result.redirectUrl).pathname }
    },
    async readPage(page: string) {
      const [, formToken] = /name="formToken" value="([^"]+)"/.exec(await ask('GET', page, 200, {})) ?? []
      if (formToken === undefined) throw new Error('the page has no form')
      return formToken
    },
    async pay(page: string, { provider, prefix }: typeof rail, formToken: string) {
      const form = new URLSearchParams({ provider, phone: prefix + newNumber(), formToken })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      await ask('POST', page, 303, headers, form.toString())
    },
    async poll(shop: Shop, id: string) {
      for (;;) {
        await sleep(pollEveryMs)
        const { result } = JSON.parse(await ask('GET', `/v1/checkout-sessions/${id}`, 200, merchant(shop)))
        if (result.status === 'completed') return
      }
    },
  }
}

const order = JSON.stringify({
  name: 'Order 42',
  lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 } }],
})

/** Avoids the last three digits for which the simulator has special outcomes. */
const newNumber = () => `${String(randomInt(1000)).padStart(3, '0')}${randomInt(100, 1000)}`
