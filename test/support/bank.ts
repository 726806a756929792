import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

type Order = { amount: number; currency: string; originalReference?: string }

/** A mock rail that uses the REST protocol. We have several accounts with it, each at its own URL. */
export type Bank = {
  /** Returns the configuration of a connection to one of the accounts. */
  connectionTo(account: string, more?: object): { protocol: 'rest'; baseUrl: string; key: string }
  /**
   * Returns the orders that an account received, by our reference. `what` is `collections`, `transfers` or
   * `refunds`.
   */
  orders(account: string, what: string): Map<string, Order>
  /** Returns the references that were queried at an account. */
  queried(account: string): string[]
  /** What an account does with the orders it receives. By default, it accepts and completes them. */
  behaviour: Map<string, 'lost' | 'pending' | 'failed'>
  /** The keys that an account accepts. By default, it accepts any key. */
  keys: Map<string, string[]>
  /** The keys of all requests to any account, in the order received. */
  keysUsed: string[]
  close(): void
}

export async function openBank(): Promise<Bank> {
  const ordersOf = new Map<string, Map<string, Order>>()
  const queries = new Map<string, string[]>()
  const orders = (account: string, what: string) => {
    const name = `${account}/${what}`
    const existing = ordersOf.get(name) ?? new Map<string, Order>()
    ordersOf.set(name, existing)
    return existing
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const [, account = '', what = ''] = request.url!.split('/')
    const reference = path.basename(request.url!)
    const key = (request.headers.authorization ?? '').replace('Bearer ', '')
    bank.keysUsed.push(key)
    if (!(bank.keys.get(account) ?? [key]).includes(key))
      return respond(response, 401, { code: 'unauthorized' })
    if (request.method === 'PUT') {
      orders(account, what).set(reference, JSON.parse(text))
      if (bank.behaviour.get(account) === 'lost') return response.destroy()
      return respond(response, 202, { status: 'pending' })
    }
    queries.set(account, [...(queries.get(account) ?? []), reference])
    const order = orders(account, what).get(reference)
    if (!order) return respond(response, 404, { code: 'not_found' })
    const { amount, currency } = order
    if (bank.behaviour.get(account) === 'failed')
      return respond(response, 200, { status: 'failed', code: 'rejected' })
    const isDone = bank.behaviour.get(account) === undefined
    const done = { status: 'done', amount, currency, transactionId: `T-${reference.slice(0, 8)}` }
    return respond(response, 200, isDone ? done : { status: 'pending' })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bank: Bank = {
    connectionTo: (account, more = {}) => ({
      protocol: 'rest',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${account}`,
      key: `key-of-${account}`,
      ...more,
    }),
    orders,
    queried: (account) => queries.get(account) ?? [],
    behaviour: new Map(),
    keys: new Map(),
    keysUsed: [],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return bank
}

const respond = (response: ServerResponse, status: number, body: object) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
