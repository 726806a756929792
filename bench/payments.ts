import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { Pool } from 'undici'
import type { Scope } from '../src/platform/clock.ts'
import { readId } from '../src/platform/ids.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'
import { openWatch } from './watch.ts'

// A merchant and payers, as a process of its own. One `submit` is one payment: a session by the API, the page, its form,
// and the wait until the session is completed. The time counts from the form.

export type PaymentsTask = {
  connection: ClientConfig
  origin: string
  token: string
  spaceId: string
  scope: Scope
  /** Who else pays at once, through a rail that hangs: each gives up after a while and comes again. */
  hangingPayers: number
  /** The merchant reads the session twice a second; otherwise it is seen in the rows. */
  isPolled: boolean
  pace: Pace
}

/** Payers share them, as they would share those of a proxy. */
const maxConnections = 256
const lookEveryMs = 100
const pollEveryMs = 500
const giveUpMs = 5_000

const rail = { provider: 'm17', prefix: '076' }
const hangingRail = { provider: 'm18', prefix: '077' }

const completed = `select id as key from checkout_sessions
  where space_id = $2 and environment = $3 and id = any($1::uuid[]) and status = 'completed'`

onTask<PaymentsTask>(async (task, tell) => {
  const { connection, scope, hangingPayers, isPolled, pace } = task
  const shop = openShop(task)
  const watch = await openWatch(connection, lookEveryMs, completed, [scope.spaceId, scope.environment])
  const submit = async (_lane: number, begun: () => void) => {
    const { id, page } = await shop.openSession()
    const formToken = await shop.readPage(page)
    begun()
    await shop.pay(page, rail, formToken)
    if (isPolled) await shop.poll(id)
    else await watch.of(readId('checkoutSession', id)!)
  }
  const hanging = new AbortController()
  const payHanging = async () => {
    const { page } = await shop.openSession()
    await shop.pay(page, hangingRail, await shop.readPage(page))
  }
  const comeAgain = async () => {
    for (;;) {
      // Being told at once that this rail does not answer is as good.
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

function openShop({ origin, token, spaceId, pace, hangingPayers }: PaymentsTask) {
  const connections = Math.min(pace.lanes + hangingPayers, maxConnections)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const merchant = { authorization: `Bearer ${token}`, 'service-space-id': spaceId }
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
      throw new Error(`${method} ${path.slice(0, 20)} answered ${answer.statusCode}: ${text.slice(0, 300)}`)
    return text
  }
  return {
    async openSession() {
      const headers = { ...merchant, 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
      const { result } = JSON.parse(await ask('POST', '/v1/checkout-sessions', 200, headers, order))
      return { id: result.id as string, page: new URL(result.redirectUrl).pathname }
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
    async poll(id: string) {
      for (;;) {
        await sleep(pollEveryMs)
        const { result } = JSON.parse(await ask('GET', `/v1/checkout-sessions/${id}`, 200, merchant))
        if (result.status === 'completed') return
      }
    },
  }
}

const order = JSON.stringify({
  name: 'Order 42',
  lineItems: [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 } }],
})

/** Its last three digits are none of those that the simulator gives another ending. */
const newNumber = () => `${String(randomInt(1000)).padStart(3, '0')}${randomInt(100, 1000)}`
