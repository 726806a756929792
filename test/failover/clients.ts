import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { createPayer } from '../support/payer.ts'
import { type Answer, ask, call, order, type Shop } from '../support/program.ts'
import type { TestSimulator } from '../support/simulator.ts'

/** What a client knows about something that it requested. */
export type Belief = {
  kind: 'transfer' | 'payout' | 'session' | 'payment'
  /** The name of the request, which is unique and also in the rows that it creates. */
  key: string
  state: 'acknowledged' | 'refused' | 'unknown'
  /** Sends the request again, with the same idempotency key, and updates `state`. */
  repeat(): Promise<void>
}

/** A response, or none. Times are as returned by `performance.now()`. */
export type Seen = {
  node: string
  /** The method and the address. */
  request: string
  isWrite: boolean
  sentAt: number
  at: number
  /** The status, or 0 if the connection was lost or there was no response in time. */
  status: number
  retryAfter: string | null
}

export type Clients = ReturnType<typeof openClients>

const clientsPerNode = 5
const pauseMs = 40
const payerPauseMs = 250
/** Clients slow down while a node is unavailable. Shorter than `Retry-After`, to see when it is available again. */
const retryPauseMs = 250
/** The time after which a client gives up waiting. The outcome of its request is then unknown. */
const patienceMs = 40_000
const amount = { currency: 'SLE', value: 100 }

/**
 * Clients of several nodes that transfer money, pay out, pay and read, until they are told to stop, and remember what each response
 * told them. A client stays with its node.
 */
export function openClients({
  shop,
  nodes,
  source,
  destination,
}: {
  shop: Shop
  nodes: Record<string, string>
  /** The account that has money, and another one. */
  source: string
  destination: string
}) {
  const beliefs: Belief[] = []
  const seen: Seen[] = []
  /** Objects that a client could read earlier and that it could not find later. */
  const vanished: string[] = []
  let last = 0
  let isStopping = false
  let running: Promise<unknown> = Promise.resolve()

  async function request(
    node: string,
    method: string,
    url: string,
    body?: object,
    key?: string,
  ): Promise<Answer | undefined> {
    const as = { ...shop, baseUrl: nodes[node]! }
    return observe(node, `${method} ${url}`, () =>
      call(as, method, url, body, key === undefined ? {} : { 'idempotency-key': key }),
    )
  }

  /** Records how a request ended. */
  async function observe<T extends { status: number; headers?: Headers }>(
    node: string,
    request: string,
    send: () => Promise<T>,
  ): Promise<T | undefined> {
    const sentAt = performance.now()
    const limit = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => limit.resolve(undefined), patienceMs)
    const answer = await Promise.race([send().catch(() => undefined), limit.promise])
    clearTimeout(timer)
    seen.push({
      node,
      request,
      isWrite: request.startsWith('POST'),
      sentAt,
      at: performance.now(),
      status: answer?.status ?? 0,
      retryAfter: answer?.headers?.get('retry-after') ?? null,
    })
    return answer
  }

  /** A refusal with `Retry-After`, such as one because the first request is still in progress, decides nothing. */
  const stateOf = (answer: { status: number; headers?: Headers } | undefined): Belief['state'] => {
    if (answer?.status === 200) return 'acknowledged'
    const isRefused =
      answer && answer.status >= 400 && answer.status < 500 && !answer.headers?.has('retry-after')
    return isRefused ? 'refused' : 'unknown'
  }

  /** Sends a POST, and remembers what its client believes. Returns what it created, if it was acknowledged. */
  async function create(
    node: string,
    kind: Belief['kind'],
    url: string,
    key: string,
    body: object,
    idempotencyKey = key,
  ) {
    const send = async (through: string) => {
      const answer = await request(through, 'POST', url, body, idempotencyKey)
      belief.state = stateOf(answer)
      return belief.state === 'acknowledged' ? answer!.body.result : undefined
    }
    const belief: Belief = {
      kind,
      key,
      state: 'unknown',
      repeat: async () => void (await send(anyNode())),
    }
    beliefs.push(belief)
    return send(node)
  }

  const names = Object.keys(nodes)
  const anyNode = () => names[++last % names.length]!

  async function transfer(node: string, hasTwin = false) {
    const key = `transfer ${++last}`
    const send = (description: string) =>
      create(
        node,
        'transfer',
        '/v1/internal-transfers',
        description,
        {
          amount,
          sourceFinancialAccount: { id: source },
          destinationFinancialAccount: { id: destination },
          description,
        },
        key,
      )
    const made = await send(key)
    if (made) await readAgain(node, `/v1/internal-transfers/${made.id}`)
    // Only one of two different requests with the same idempotency key may be carried out.
    if (hasTwin) await send(`twin of ${key}`)
  }

  async function payOut(node: string) {
    const key = `payee${++last}x456`
    const destination = { type: 'wallet', providerId: 'dw001', walletId: key }
    const made = await create(node, 'payout', '/v1/payouts', key, { amount, destination })
    if (made) await readAgain(node, `/v1/payouts/${made.id}`)
  }

  /** Reads an object that this node has acknowledged. */
  async function readAgain(node: string, url: string): Promise<void> {
    const answer = await request(node, 'GET', url)
    if (answer?.status === 404) vanished.push(url)
  }

  /** Creates a session and pays it on its page. */
  async function pay(node: string): Promise<void> {
    const nth = ++last
    const key = `session ${nth}`
    const made = await create(node, 'session', '/v1/checkout-sessions', key, {
      ...order(100, { duration: '7d' }),
      name: key,
    })
    if (!made) return
    const page = new URL(made.redirectUrl).pathname
    const phone = `076${100 + Math.floor(nth / 800)}${100 + (nth % 800)}`
    const submit = async (through: string) => {
      const payer = createPayer(nodes[through] + page)
      const form = await observe(through, `GET ${page}`, () => payer.look())
      if (!form || form.status >= 400) return
      const [, formToken] = /name="formToken" value="([^"]+)"/.exec(form.text) ?? []
      // Without a form, the page shows a payment that has begun.
      const answer = formToken
        ? await observe(through, `POST ${page}`, () => payer.post('', { provider: 'm17', phone, formToken }))
        : form
      belief.state = answer && answer.status < 400 ? 'acknowledged' : stateOf(answer)
    }
    const belief: Belief = {
      kind: 'payment',
      key,
      state: 'unknown',
      repeat: () => submit(anyNode()),
    }
    beliefs.push(belief)
    await submit(node)
  }

  async function act(node: string, nth: number): Promise<void> {
    for (let i = nth; !isStopping; i++) {
      if (nth === 0) {
        await pay(node)
        await sleep(payerPauseMs)
      } else if (i % 8 === 0) await payOut(node)
      else if (i % 8 === 1) await transfer(node, true)
      else if (i % 8 === 2) await request(node, 'GET', `/v1/financial-accounts/${source}?withBalance=true`)
      else await transfer(node)
      await sleep(isRefusedLately(node) ? retryPauseMs : pauseMs)
    }
  }

  const isRefusedLately = (node: string) => {
    const lastSeen = seen.findLast((one) => one.node === node)
    return lastSeen?.status === 0 || lastSeen?.status === 503
  }

  return {
    beliefs,
    seen,
    vanished,
    start() {
      isStopping = false
      running = Promise.all(
        names.flatMap((node) => Array.from({ length: clientsPerNode }, (_, nth) => act(node, nth))),
      )
      running.catch(() => {})
    },
    /** Stops the clients once they have the responses that they are waiting for. */
    async stop() {
      isStopping = true
      await running
    },
    /** Repeats every request whose outcome is unknown until it is known. */
    async repeatUnknown(): Promise<number> {
      const unknown = beliefs.filter(({ state }) => state === 'unknown')
      const left = [...unknown]
      const repeatLeft = async () => {
        for (let belief = left.shift(); belief; belief = left.shift())
          for (let i = 0; belief.state === 'unknown'; i++) {
            assert.ok(i < 100, `still unknown: ${belief.kind} ${belief.key} ${JSON.stringify(seen.at(-1))}`)
            await belief.repeat()
            if (belief.state === 'unknown') await sleep(retryPauseMs)
          }
      }
      await Promise.all(Array.from({ length: 2 * clientsPerNode }, repeatLeft))
      return unknown.length
    },
  }
}

export type Compared = {
  acknowledged: number
  refused: number
  lost: string[]
  doubled: string[]
  unwanted: string[]
}

/** Compares what the clients believe with the rows of a database. No outcome may be unknown any more. */
export async function compare(clients: Clients, connection: Parameters<typeof ask>[0]): Promise<Compared> {
  // every space: there is only one
  const rows: { kind: string; key: string; count: number }[] = await ask(
    connection,
    `select 'transfer' as kind, description as key, count(*)::int from internal_transfers group by 2
     union all
     select 'payout', fact.account, count(*)::int from payouts
     join lateral (
       select coalesce(data::json #>> '{destination,phoneNumber}', data::json #>> '{destination,accountNumber}',
         data::json #>> '{destination,walletId}') as account
       from event_facts where object_id = payouts.id and 'payout.created' = any(types) limit 1
     ) fact on true
     group by 2
     union all select 'session', name, count(*)::int from checkout_sessions group by 2
     union all select 'payment', session.name, count(*)::int
     from payments payment join checkout_sessions session on session.id = payment.origin_id
     group by 2`,
  )
  const counts = new Map(rows.map(({ kind, key, count }) => [`${kind} ${key}`, count]))
  const result: Compared = { acknowledged: 0, refused: 0, lost: [], doubled: [], unwanted: [] }
  for (const { kind, key, state } of clients.beliefs) {
    const name = `${kind} ${key}`
    const count = counts.get(name) ?? 0
    counts.delete(name)
    assert.notEqual(state, 'unknown', name)
    if (state === 'acknowledged') result.acknowledged++
    else result.refused++
    if (state === 'acknowledged' && count === 0) result.lost.push(name)
    if (count > 1) result.doubled.push(name)
    if (state === 'refused' && count > 0) result.unwanted.push(name)
  }
  // Rows that no client asked for.
  result.unwanted.push(...counts.keys())
  return result
}

/** Returns payers and payees whose money the rails moved more than once, and those paid by failed objects. */
export async function compareWithRails(
  simulator: TestSimulator,
  connection: Parameters<typeof ask>[0],
): Promise<{ moved: number; twice: string[]; wrong: string[]; open: number }> {
  // every space: the simulator is the outside world, and there is only one Space
  const moved = await simulator.db.query<{ reference: string }>(sql`
    select reference::text from simulator_collections where moved_at is not null
    union all select reference::text from simulator_disbursements where moved_at is not null`)
  const accounts = await simulator.db.query<{ account: string }>(sql`
    select account from (
      select payer as account from simulator_collections where moved_at is not null
      union all select payee from simulator_disbursements where moved_at is not null) moves
    group by 1 having count(*) > 1`)
  const objects: { reference: string; status: string }[] = await ask(
    connection,
    `select rail_reference::text as reference, status from payouts
     union all select rail_reference::text, status from payments`,
  )
  const references = new Set(moved.map(({ reference }) => reference))
  const wrong = objects.filter(
    ({ reference, status }) =>
      (status === 'completed' && !references.has(reference)) ||
      (status === 'failed' && references.has(reference)),
  )
  return {
    moved: moved.length,
    twice: accounts.map(({ account }) => account),
    wrong: wrong.map(({ reference, status }) => `${status} ${reference}`),
    open: objects.filter(({ status }) => status !== 'completed' && status !== 'failed').length,
  }
}
