import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ApiRoute } from '../../packages/server/src/platform/http/commands/route.ts'
import { hiddenCharactersError, visible } from '../../packages/server/src/platform/text-rules.ts'
import { routesOfSlice, slices } from '../../packages/server/src/slices.ts'
import type { Merchant, TestApp } from './harness.ts'

/**
 * What a slice adds to the examples of its routes, for tests that call every route and cannot infer it from the
 * route itself. It is exported as `examples` by `test/scenarios/<wing>/<slice>/examples.ts`. Routes have names such as
 * `POST /v1/payouts`.
 */
export type SliceExamples = {
  /** Valid values of body fields, by path (`items[].key`), where neither the schema nor the example has one. */
  fields?: Record<string, unknown[]>
  /** Values for the full body of a route, by path; `null` in fields that exclude others. */
  bodies?: Record<string, Record<string, unknown>>
  /** Fields that the schema does not require, but that other fields make necessary. */
  required?: Record<string, string[]>
  /** Invalid bodies of routes with additional rules, each with the fields that must be reported. */
  issues?: Record<string, { body: object; shape: string[]; meaning: string[] }[]>
  /** Values of path parameters that do not name an object, by the parameter's name. */
  params?: Record<string, string>
  /** Creates objects of the slice, instead of sending the examples of its POST routes. */
  make?(stock: Stock): Promise<void>
  /** Stops background activity that would change what is read. */
  settle?(stock: Stock): Promise<void>
  /** Routes that are not tested against access from outside a Space, each with the reason. */
  notGuarded?: Record<string, string>
  /** Routes for which no object in the stock is in the correct state. */
  withoutSuitableObject?: string[]
  /**
   * Routes to be tested in a separate Space, because they would move its clock or use up a limit that others
   * need.
   */
  inSeparateSpace?: string[]
  /**
   * For the tests of list query plans: columns of the slice's tables as SQL expressions of `n` (an empty `id`
   * if the table has none), and values of its filters.
   */
  rows?: Record<string, Record<string, string>>
  filters?: Record<string, string[]>
}

/** An API route with its slice and what the slice adds to its examples. */
export type Entry = { route: ApiRoute; name: string; slice: string; examples: SliceExamples }

/** Returns every API route. */
export async function entriesOf({ app }: TestApp): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const slice of slices) {
    const file = path.resolve(import.meta.dirname, '../scenarios', slice.folder, 'examples.ts')
    const examples: SliceExamples = existsSync(file) ? (await import(file)).examples : {}
    for (const route of await routesOfSlice(slice, app.parts))
      if (route.kind !== 'raw')
        entries.push({ route, name: `${route.method} ${route.url}`, slice: slice.folder, examples })
  }
  assert.ok(entries.length > 0)
  return entries
}

/** Returns the file in which a slice can add what is missing. */
export const placeOf = ({ slice }: Pick<Entry, 'slice'>) => `test/scenarios/${slice}/examples.ts`

export type Shape = {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
} & Partial<
  Record<
    'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'maxProperties',
    number
  >
> &
  Partial<Record<'pattern' | 'format', unknown>> & { '~refine'?: { error(value: unknown): string }[] }

/** Whether a schema has a rule other than the one against hidden characters, which every text has. */
export const hasOwnRule = ({ '~refine': rules = [] }: Pick<Shape, '~refine'>) =>
  rules.some(({ error }) => error('') !== hiddenCharactersError)

/** Whether a field accepts free text. */
const isFree = ({ type, pattern, format, enum: choices, examples, ...rules }: Shape) =>
  [type].flat().includes('string') &&
  !format &&
  !choices &&
  !examples &&
  !hasOwnRule(rules) &&
  (!pattern || String(pattern).endsWith(visible))

const exampleId = /^([a-z]{3})-01kaj3v5w8e4r9tbn2m6c7d0\w\w$/

/** Returns the kind of object that a field refers to, as the prefix of its ids. */
export const kindNamedBy = ({ examples }: Shape): string | undefined =>
  exampleId.exec(String(examples?.[0]))?.[1]

/**
 * Returns a body of a route with every possible field. Values come from the route's example, or else from the
 * slice's examples, the schema's examples or its limits. Ids are still those of the examples.
 */
export function fullBodyOf(
  { route, name, slice, examples }: Entry,
  freeText?: string,
): Record<string, unknown> {
  const { fields = {}, bodies = {} } = examples
  const own = bodies[name] ?? {}
  const valueAt = (shape: Shape, example: unknown, at: string): unknown => {
    const general = at.replaceAll(/\[\d+\]/g, '[]')
    if (general in own) return own[general]
    if (at === 'metadata' && freeText !== undefined) return { [freeText]: freeText }
    if (general in fields) return fields[general]![0]
    if (isFree(shape) && (freeText !== undefined || example === undefined))
      return fitted(shape, freeText ?? 'text')
    if (shape.properties && example !== null) {
      const given = (example ?? {}) as Record<string, unknown>
      return Object.fromEntries(
        Object.entries(shape.properties).map(([field, inner]) => [
          field,
          valueAt(inner, given[field], at ? `${at}.${field}` : field),
        ]),
      )
    }
    if (Array.isArray(example) && shape.items)
      return example.map((entry, i) => valueAt(shape.items!, entry, `${at}[${i}]`))
    if (example !== undefined) return example
    if (shape.default !== undefined) return shape.default
    // Far enough in the future for a test that moves the clock.
    if (shape.format === 'date-time') return new Date(Date.now() + 30 * 86_400_000).toISOString()
    if (shape.examples) return shape.examples[0]
    if (shape.enum) return shape.enum[0]
    const [type] = [shape.type].flat()
    if (type === 'boolean') return true
    if (type === 'integer') return shape.minimum ?? 0
    if (type === 'array') return [valueAt(shape.items!, undefined, `${at}[0]`)]
    return assert.fail(`no value is known for ${at} of ${name}: add one to "fields" in ${placeOf({ slice })}`)
  }
  return valueAt(route.body as Shape, route.example, '') as Record<string, unknown>
}

const fitted = ({ minLength = 0, maxLength = 100 }: Shape, text: string) =>
  text.slice(0, maxLength).padEnd(minLength, 'x')

/** Everything that one Space has in one environment, created through the API with the examples of its routes. */
export type Stock = ReturnType<typeof openStock>

type Fields = Record<string, unknown>

export function openStock(
  t: TestApp,
  merchant: Merchant,
  entries: Entry[],
  { freeText, turn = () => {} }: { freeText?: string; turn?: () => unknown } = {},
) {
  /** Public ids by prefix, in order of creation. */
  const ids = new Map<string, string[]>()
  const objects = new Map<string, Fields[]>()
  let texts = 0
  // A text that only one object may have is different each time.
  const nextText = () => `${freeText ?? 'text'}-${++texts}`

  const add = (id: string) => {
    const prefix = id.slice(0, 3)
    if (!ids.get(prefix)?.includes(id)) ids.set(prefix, [...(ids.get(prefix) ?? []), id])
  }
  const makerOf = (prefix: string) =>
    entries.find(({ route }) => isMaking(route) && kindMadeBy(route) === prefix)

  const stock = {
    t,
    merchant,
    entries,
    freeText,
    ids: (prefix: string) => ids.get(prefix) ?? [],
    objects: (url: string) => objects.get(url) ?? [],
    /** Lets time pass on a mock rail. */
    turn,
    /** Adds the id of an object that was not created by `post`. */
    add,

    /** Sends a POST request, with real ids in place of those of the examples, and returns the result. */
    async post(url: string, body: object) {
      const sent = await stock.withIds(body)
      const { status, body: answer } = await merchant.call('POST', url, sent)
      const entry = entries.find(({ name }) => name === `POST ${url}`)
      const hint = `if that cannot succeed, add "make" to ${placeOf(entry ?? { slice: '<slice>' })}`
      assert.equal(status, 200, `POST ${url} of ${JSON.stringify(sent)}: ${JSON.stringify(answer)}; ${hint}`)
      if (typeof answer.result.id === 'string') add(answer.result.id)
      return answer.result
    },

    /** Sends the example and the full body to every route of a slice that creates an object. */
    async postExamples(slice: string) {
      for (const entry of entries.filter((one) => one.slice === slice && isMaking(one.route)))
        for (const bodyOf of [exampleOf, fullBodyOf])
          await stock.post(entry.route.url, bodyOf(entry, nextText()))
    },

    /** Creates objects of every kind, slice by slice, and then reads all of them. */
    async fill() {
      const bySlice = Map.groupBy(entries, ({ slice }) => slice)
      for (const [slice, [entry]] of bySlice) {
        const { make } = entry!.examples
        if (make) await make(stock)
        else await stock.postExamples(slice)
      }
      await stock.read()
      return stock
    },

    /** Stops all background activity, and reads everything again. */
    async settle() {
      const bySlice = Map.groupBy(entries, ({ slice }) => slice)
      for (const [entry] of bySlice.values()) await entry!.examples.settle?.(stock)
      await stock.read()
      return stock
    },

    /** Reads all lists; those nested under an object come last, when its id is known. */
    async read() {
      const lists = entries.filter(({ route }) => route.kind === 'list')
      const inside = ({ route }: Entry) => Number(route.url.includes(':'))
      for (const { route } of lists.toSorted((a, b) => inside(a) - inside(b))) {
        const { status, body } = await merchant.call('GET', `${stock.pathOf(route)}?limit=50`)
        assert.equal(status, 200, `${route.url}: ${JSON.stringify(body)}`)
        objects.set(route.url, body.result)
        // Most users of the installation are not members of this Space.
        if (route.url !== '/v1/installation/users')
          for (const { id } of body.result.toReversed()) if (typeof id === 'string') add(id)
      }
    },

    /** Returns the path of a route with the id of the first or the last object of its kind. */
    pathOf(route: ApiRoute, which: 0 | -1 = 0): string {
      return route.url.replace(/:(\w+)/, (_, name: string) => {
        const entry = entries.find((one) => one.route.url === route.url)
        const param = entry?.examples.params?.[name]
        if (param !== undefined) return param
        const value = route.idKind
          ? stock.ids(route.idKind.prefix).at(which)
          : firstOf(
              [...(objects.get(route.url.replace(/\/:.*/, '')) ?? []), ...[...objects.values()].flat()],
              name,
            )
        const hint = `what creates one? Add "make" to ${placeOf(entry!)}`
        assert.ok(value !== undefined, `no object here has the :${name} of ${route.url}: ${hint}`)
        return String(value)
      })
    },

    /**
     * Returns a body in which the ids of the examples are replaced with ids of objects of this Space. Objects
     * that do not exist yet are created.
     */
    async withIds<Body>(body: Body): Promise<Body> {
      const text = JSON.stringify(body)
      const named = [...new Set(text.match(/\b[a-z]{3}-01kaj3v5w8e4r9tbn2m6c7d0\w\w\b/g) ?? [])]
      const countOf = new Map<string, number>()
      const real = new Map<string, string>()
      for (const id of named) {
        const prefix = id.slice(0, 3)
        const nth = countOf.get(prefix) ?? 0
        countOf.set(prefix, nth + 1)
        while (stock.ids(prefix).length <= nth) {
          const maker = makerOf(prefix)
          assert.ok(
            maker,
            `no POST route creates the ${prefix}-… that a body refers to: add "make" to the slice's examples.ts`,
          )
          await stock.post(maker.route.url, exampleOf(maker, nextText()))
        }
        real.set(id, stock.ids(prefix)[nth]!)
      }
      return JSON.parse(text.replace(/\b[a-z]{3}-01kaj3v5w8e4r9tbn2m6c7d0\w\w\b/g, (id) => real.get(id)!))
    },

    /**
     * Returns queries of a route that each find something in this Space: one for each filter, and one with all
     * filters that match a single object.
     */
    queriesOf({ route, name, slice, examples }: Entry): Record<string, string>[] {
      const filters = Object.entries((route.query as Shape | undefined)?.properties ?? {})
      const rows = objects.get(route.url) ?? []
      const hasOwn = (filter: string) => rows.some((row) => (firstOf([row], filter) ?? null) !== null)
      const known = (row: Fields, filter: string, shape: Shape): unknown => {
        if (shape.type === 'boolean') return true
        // A search over all types has no row of its own; its schema's example finds something.
        if (filter === 'q') return row.id ?? shape.examples?.[0]
        // Part of a name finds the object.
        if (filter === 'text') return row.name ?? undefined
        const own = firstOf([row], filter) ?? examples.filters?.[filter]?.[0]
        if (own === undefined && shape.format === 'date-time') return new Date(0).toISOString()
        // The schema's example is used if no object here has a value.
        return own ?? (hasOwn(filter) ? undefined : shape.examples?.[0])
      }
      const each = filters.map(([filter, shape]) => {
        const value = rows.map((row) => known(row, filter, shape)).find((one) => one !== undefined)
        const hint = `let "make" of ${placeOf({ slice })} create something that has it, or add a value to "filters" there`
        assert.ok(
          value !== undefined || route.kind !== 'list',
          `nothing has a ${filter} for ${name}: ${hint}`,
        )
        return { [filter]: String(value ?? known({}, filter, shape)) }
      })
      const together = rows.map((row) =>
        Object.fromEntries(
          filters.flatMap(([filter, shape]) => {
            const value = known(row, filter, shape)
            return value === undefined ? [] : [[filter, String(value)]]
          }),
        ),
      )
      const most = together.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)[0]
      const isRequired = ((route.query as { required?: string[] } | undefined)?.required ?? []).length > 0
      return [
        ...(isRequired && route.kind !== 'list' ? [] : [{}]),
        ...each,
        ...(most && filters.length > 1 ? [most] : []),
      ]
    },
  }
  return stock
}

/** Returns the example of a route, with the given text in every field that accepts free text. */
export function exampleOf({ route, name, slice }: Entry, freeText?: string): object {
  assert.ok(route.example, `${name} has no example: add one, or add "make" to ${placeOf({ slice })}`)
  if (freeText === undefined) return route.example
  const marked = (shape: Shape | undefined, example: unknown): unknown => {
    if (Array.isArray(example)) return example.map((entry) => marked(shape?.items, entry))
    if (typeof example === 'object' && example !== null)
      return Object.fromEntries(
        Object.entries(example).map(([field, value]) => [field, marked(shape?.properties?.[field], value)]),
      )
    return shape && isFree(shape) ? fitted(shape, freeText) : example
  }
  const metadata = (route.body as Shape).properties?.metadata && { metadata: { [freeText]: freeText } }
  return { ...(marked(route.body as Shape, route.example) as object), ...metadata }
}

/** Whether a route creates an object, that is, whether it is a POST to a list. */
const isMaking = ({ kind, url, result }: ApiRoute) =>
  kind === 'command' && !url.includes(':') && kindMadeBy({ result } as ApiRoute) !== undefined

const kindMadeBy = ({ result }: ApiRoute): string | undefined =>
  /^\^([a-z]{3})-/.exec(String((result as Shape).properties?.id?.pattern))?.[1]

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

/**
 * Returns the first value of a field at any depth: `sourceAccountId` matches `source.accountId` and
 * `sourceAccount.id`.
 */
function firstOf(rows: Fields[], name: string): unknown {
  function* leaves(value: unknown, at: string): Generator<[string, unknown]> {
    if (typeof value !== 'object' || value === null) return yield [at, value]
    for (const [field, inner] of Object.entries(value)) yield* leaves(inner, at + field)
  }
  // Providers in the Space's own country come first, because the accounts of the examples are with them.
  const isOwn = ({ country }: Fields) => Number(country === 'SL')
  for (const row of rows.toSorted((one, other) => isOwn(other) - isOwn(one)))
    for (const [at, value] of leaves(row, '')) if (plain(at) === plain(name) && value !== null) return value
  return undefined
}
