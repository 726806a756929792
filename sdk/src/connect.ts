import type { Operation } from './attempt.ts'
import { Call, List } from './call.ts'
import type { CallOptions, PesewaOptions } from './options.ts'
import { request } from './request.ts'

/** `POST /v1/payouts/{id}/approve b`: what it is sent with stands after it. `b`: a body, `q`: a query, `l`: it is a list. */
type Entry = string | ((client: PesewaOptions) => unknown)
type Table = { readonly [name: string]: Entry | Table }

declare const methods: unique symbol
/** What makes the methods of a resource, and their types. */
export type Resource<Methods> = Table & { readonly [methods]?: Methods }

type MethodsOf<Resources> = {
  readonly [Name in keyof Resources]: Resources[Name] extends Resource<infer Methods> ? Methods : never
}

/**
 * A client of some resources alone: `connect({ token, space, baseUrl }, { checkoutSessions, payments })`. What is not named, a bundler
 * leaves out.
 *
 * @throws TypeError where the token or the address of the service is missing
 */
export function connect<Resources extends { [name: string]: Table }>(
  options: PesewaOptions,
  resources: Resources,
): MethodsOf<Resources> {
  checkOptions(options)
  // What the table has, the interfaces declare: both are written from the same routes.
  return bind(options, resources) as MethodsOf<Resources>
}

function checkOptions({ token, baseUrl }: PesewaOptions): void {
  if (typeof token !== 'string' || token === '') throw new TypeError('token is missing')
  if (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError('baseUrl is missing: the address of the service, like https://pay.example.com')
}

/** The members of a resource, which its interface declares. */
type Bound = { [name: string]: unknown }

function bind(client: PesewaOptions, table: Table, place = ''): Bound {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [name, memberOf(client, entry, place + name)]),
  )
}

function memberOf(client: PesewaOptions, entry: Entry | Table, name: string): unknown {
  if (typeof entry === 'string') return named(name, methodOf(client, entry, name))
  return typeof entry === 'function' ? entry(client) : bind(client, entry, `${name}.`)
}

/** A function that stack traces and inspectors call by its name, such as `payouts.create`. */
const named = <F extends (...given: never[]) => unknown>(name: string, call: F): F =>
  Object.defineProperty(call, 'name', { value: name })

function methodOf(client: PesewaOptions, entry: string, name: string) {
  const [method = '', pattern = '', kinds = ''] = entry.split(' ')
  // An async function: the stack of an error that comes later names it, and whoever awaits it.
  const send = named(name, async <T>(operation: Operation, options: CallOptions | undefined) => {
    return await request<T>(client, operation, options)
  })
  return (...given: unknown[]) => {
    const rest = [...given]
    // Each is taken in the order in which its interface declares it.
    const path = pattern.replace(/\{\w+\}/g, (name) => segmentOf(name, rest.shift()))
    const body = kinds.includes('b') ? (rest.shift() ?? {}) : method === 'POST' ? {} : undefined
    const query = kinds.includes('q') ? (rest.shift() as object | undefined) : undefined
    const options = rest.shift() as CallOptions | undefined
    const operation: Operation = { method, path, query, body }
    if (!kinds.includes('l')) return new Call(send(operation, options))
    return new List(async (page) => {
      const { data, next } = await send<unknown[]>({ ...operation, query: { ...query, ...page } }, options)
      return { items: data, next }
    })
  }
}

function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${name.slice(1, -1)} must be a text that is not empty`)
  return encodeURIComponent(value)
}
