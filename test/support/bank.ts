import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

type Order = { amount: number; currency: string; originalReference?: string }

/** A rail of the REST protocol with several accounts of ours, each under an address of its own. */
export type Bank = {
  /** How it is connected to one of the accounts. */
  connectionTo(account: string, more?: object): { protocol: 'rest'; baseUrl: string; key: string }
  /** What an account was requested to do: `collections`, `transfers` or `refunds`, by our references. */
  orders(account: string, what: string): Map<string, Order>
  /** What an account was queried about. */
  queried(account: string): string[]
  /** Of an account: what it does with an order that it has taken. As a rule it says so, and completes it. */
  behaviour: Map<string, 'lost' | 'pending' | 'failed'>
  /** Of an account: with which keys it may be used; any while none are named. */
  keys: Map<string, string[]>
  /** Keys that came, of all accounts, in the order they came. */
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
    if (!(bank.keys.get(account) ?? [key]).includes(key)) return say(response, 401, { code: 'unauthorized' })
    if (request.method === 'PUT') {
      orders(account, what).set(reference, JSON.parse(text))
      if (bank.behaviour.get(account) === 'lost') return response.destroy()
      return say(response, 202, { status: 'pending' })
    }
    queries.set(account, [...(queries.get(account) ?? []), reference])
    const order = orders(account, what).get(reference)
    if (!order) return say(response, 404, { code: 'not_found' })
    const { amount, currency } = order
    if (bank.behaviour.get(account) === 'failed')
      return say(response, 200, { status: 'failed', code: 'rejected' })
    const isDone = bank.behaviour.get(account) === undefined
    const done = { status: 'done', amount, currency, transactionId: `T-${reference.slice(0, 8)}` }
    return say(response, 200, isDone ? done : { status: 'pending' })
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

const say = (response: ServerResponse, status: number, body: object) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
