import { Call, List } from './call.ts'
import { operations, type Resources } from './generated/resources.ts'
import type { CallOptions, PesewaOptions } from './options.ts'
import { type Operation, request } from './request.ts'
import { verifyWebhook } from './webhooks.ts'

/** `POST /v1/payouts/{id}/approve b`: what it is sent with stands after it. `b`: a body, `q`: a query, `l`: it is a list. */
type Table = { [name: string]: string | Table }

/** The members of a resource, which its interface declares. */
type Bound = { [name: string]: unknown }

function bind(client: PesewaOptions, table: Table): Bound {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      typeof entry === 'string' ? methodOf(client, entry) : bind(client, entry),
    ]),
  )
}

function methodOf(client: PesewaOptions, entry: string) {
  const [method = '', pattern = '', kinds = ''] = entry.split(' ')
  return (...given: unknown[]) => {
    const rest = [...given]
    // Each is taken in the order in which its interface declares it.
    const path = pattern.replace(/\{\w+\}/g, (name) => segmentOf(name, rest.shift()))
    const body = kinds.includes('b') ? (rest.shift() ?? {}) : method === 'POST' ? {} : undefined
    const query = kinds.includes('q') ? (rest.shift() as object | undefined) : undefined
    const options = rest.shift() as CallOptions | undefined
    const operation: Operation = { method, path, query, body }
    if (!kinds.includes('l')) return new Call(request(client, operation, options))
    return new List(async (page) => {
      const { data, next } = await request<unknown[]>(
        client,
        { ...operation, query: { ...query, ...page } },
        options,
      )
      return { items: data, next }
    })
  }
}

function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${name.slice(1, -1)} must be a text that is not empty`)
  return encodeURIComponent(value)
}

/** The calls of a service, by their resources. */
export type Pesewa = Resources

class Client {
  constructor(options: PesewaOptions) {
    for (const name of ['token', 'baseUrl'] as const)
      if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`${name} is missing`)
    const bound = bind(options, operations)
    Object.assign(this, bound, { webhooks: { ...(bound.webhooks as object), verify: verifyWebhook } })
  }
}

/** A client of a service. It has a token and a Space, so that calls need neither. */
// What the table has, the interfaces declare: both are written from the same routes.
export const Pesewa = Client as new (options: PesewaOptions) => Pesewa
