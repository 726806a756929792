import type { Operation } from './attempt.ts'
import { Call, List } from './call.ts'
import type { CallOptions, ClientOptions, PesewaOptions } from './options.ts'
import { request } from './request.ts'

/**
 * A request line with flags for its arguments, such as `POST /v1/payouts/{id}/approve b`, and with the type of its
 * method. `b` means that the call takes a body, `q` that it takes a query, and `l` that it returns a list.
 */
export type Line<Method = unknown> = string & { readonly [method]?: Method }
declare const method: unique symbol

/** The request lines of a resource, by method name. A method that is written by hand has a function instead. */
export type Resource<Methods> = { readonly [Name in keyof Methods]: EntryOf<Methods[Name]> }
type EntryOf<Member> = Member extends (...given: never[]) => infer Result
  ? Result extends Call<unknown> | List<unknown>
    ? Line<Member>
    : (client: ClientOptions) => Member
  : Resource<Member>

type MethodsOf<Entries> = {
  readonly [Name in keyof Entries]: Entries[Name] extends Line<infer Method>
    ? Method
    : Entries[Name] extends (client: ClientOptions) => infer Method
      ? Method
      : MethodsOf<Entries[Name]>
}

/**
 * Creates a client with only some of the resources, so that a bundler can drop the others: `connect({ token,
 * space, baseUrl }, { checkoutSessions, payments })`.
 *
 * @throws TypeError if the token or the URL of the service is missing
 */
export function connect<Resources extends { readonly [name: string]: object }>(
  options: PesewaOptions,
  resources: Resources,
): MethodsOf<Resources> {
  checkOptions(options)
  // Safe: the interfaces and the tables are generated from the same routes.
  return bind(options, resources as Table) as MethodsOf<Resources>
}

function checkOptions({ token, baseUrl }: PesewaOptions): void {
  if (typeof token !== 'string' || token === '') throw new TypeError('token is required')
  if (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError('baseUrl is required: the URL of the service, such as https://pay.example.com')
}

type Entry = Line | ((client: ClientOptions) => unknown)
type Table = { readonly [name: string]: Entry | Table }
/** The members of a resource, as declared by its interface. */
type Bound = { [name: string]: unknown }

function bind(client: ClientOptions, table: Table, place = ''): Bound {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [name, bindMember(client, entry, place + name)]),
  )
}

function bindMember(client: ClientOptions, entry: Entry | Table, name: string): unknown {
  if (typeof entry === 'string') return named(name, methodOf(client, entry, name))
  return typeof entry === 'function' ? entry(client) : bind(client, entry, `${name}.`)
}

/** Sets a function's name, such as `payouts.create`, for stack traces and debuggers. */
const named = <F extends (...given: never[]) => unknown>(name: string, call: F): F =>
  Object.defineProperty(call, 'name', { value: name })

function methodOf(client: ClientOptions, line: Line, name: string) {
  // This function is async, so that the stack trace of a later error includes it and its caller.
  const send = named(name, async <T>(operation: Operation, options: CallOptions | undefined) => {
    return await request<T>(client, operation, options)
  })
  return (...given: unknown[]) => {
    const { operation, options, isList } = operationOf(line, given)
    if (!isList) return new Call(send(operation, options))
    return new List(async (page) => {
      const query = { ...operation.query, ...page }
      const { data, next } = await send<unknown[]>({ ...operation, query }, options)
      return { items: data, next }
    })
  }
}

/** Returns the request of a method that is called with the given arguments. */
export function operationOf(line: Line, given: readonly unknown[]) {
  const [method = '', pattern = '', kinds = ''] = line.split(' ')
  const rest = [...given]
  // The arguments come in the order declared by the interface.
  const path = pattern.replace(/\{\w+\}/g, (name) => pathSegment(name, rest.shift()))
  const body = kinds.includes('b') ? (rest.shift() ?? {}) : method === 'POST' ? {} : undefined
  const query = kinds.includes('q') ? (rest.shift() as object | undefined) : undefined
  const options = rest.shift() as CallOptions | undefined
  const operation: Operation = { method, path, query, body }
  return { operation, options, isList: kinds.includes('l') }
}

function pathSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${name.slice(1, -1)} must be a non-empty string`)
  return encodeURIComponent(value)
}
