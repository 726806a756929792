import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ApiRoute } from '../../src/platform/http/route.ts'
import { hiddenCharactersError, visible } from '../../src/platform/text-rules.ts'
import { slices } from '../../src/slices.ts'
import type { Merchant, TestApp } from './harness.ts'

/**
 * What a slice adds to the examples of its routes where a test that walks all routes cannot find it out by itself: a file
 * `test/scenarios/<slice>/examples.ts` exports it as `examples`. Routes are named like `POST /v1/payouts`.
 */
export type SliceExamples = {
  /** What fields of its bodies can hold, by path (`items[].key`), where shape and example do not say it. */
  fields?: Record<string, unknown[]>
  /** What stands in the full body of a route, by path: `null` in fields that exclude others. */
  bodies?: Record<string, Record<string, unknown>>
  /** Fields that are not required by the shape, but by what stands beside them. */
  required?: Record<string, string[]>
  /** Faulty bodies of routes with rules, each with the fields that are to be blamed. */
  issues?: Record<string, { body: object; shape: string[]; meaning: string[] }[]>
  /** What stands in an address that names no object, by the parameter's name. */
  params?: Record<string, string>
  /** Makes objects of the slice in place of POSTing its examples. */
  make?(stock: Stock): Promise<void>
  /** Brings to rest what would go on by itself and change what is read. */
  rest?(stock: Stock): Promise<void>
  /** Routes that are not tried from outside a Space, each with the reason. */
  notGuarded?: Record<string, string>
  /** Routes that nothing in a stock is in the right state for. */
  inConflict?: string[]
  /** Routes to be tried in a Space of their own: they would change the time, or use up a limit of others. */
  apart?: string[]
  /** Columns of its tables, as SQL of `n` (an empty `id` where there is none), and values of its filters: for the plans of its lists. */
  rows?: Record<string, Record<string, string>>
  filters?: Record<string, string[]>
}

/** A route of the API, with the slice that has it and what that adds. */
export type Entry = { route: ApiRoute; name: string; slice: string; examples: SliceExamples }

/** Every route of the API. */
export async function entriesOf({ app }: TestApp): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const slice of slices) {
    const file = path.resolve(import.meta.dirname, '../scenarios', slice.name, 'examples.ts')
    const examples: SliceExamples = existsSync(file) ? (await import(file)).examples : {}
    for (const route of (await slice.routes?.(app.parts)) ?? [])
      if (route.kind !== 'raw')
        entries.push({ route, name: `${route.method} ${route.url}`, slice: slice.name, examples })
  }
  assert.ok(entries.length > 0)
  return entries
}

/** Where a slice adds what is missing. */
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

/** Whether a shape has a rule beside the one that texts have, to hide nothing. */
export const hasOwnRule = ({ '~refine': rules = [] }: Pick<Shape, '~refine'>) =>
  rules.some(({ error }) => error('') !== hiddenCharactersError)

/** Whether a field takes whatever text people write. */
const isFree = ({ type, pattern, format, enum: choices, examples, ...rules }: Shape) =>
  [type].flat().includes('string') &&
  !format &&
  !choices &&
  !examples &&
  !hasOwnRule(rules) &&
  (!pattern || String(pattern).endsWith(visible))

const exampleId = /^([a-z]{3})-01kaj3v5w8e4r9tbn2m6c7d0\w\w$/

/** The kind of object that a field names, by the prefix of its ids. */
export const kindNamedBy = ({ examples }: Shape): string | undefined =>
  exampleId.exec(String(examples?.[0]))?.[1]

/**
 * A body of a route that names every field there is: as its example has it, else as the slice, the shape's own examples
 * or its bounds say. Ids are still those of examples.
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
    // Far enough for a test that moves the clock meanwhile.
    if (shape.format === 'date-time') return new Date(Date.now() + 30 * 86_400_000).toISOString()
    if (shape.examples) return shape.examples[0]
    if (shape.enum) return shape.enum[0]
    const [type] = [shape.type].flat()
    if (type === 'boolean') return true
    if (type === 'integer') return shape.minimum ?? 0
    if (type === 'array') return [valueAt(shape.items!, undefined, `${at}[0]`)]
    return assert.fail(`no value is known for ${at} of ${name}: say it in "fields" of ${placeOf({ slice })}`)
  }
  return valueAt(route.body as Shape, route.example, '') as Record<string, unknown>
}

const fitted = ({ minLength = 0, maxLength = 100 }: Shape, text: string) =>
  text.slice(0, maxLength).padEnd(minLength, 'x')

/** What one Space has in one environment, made through the API by the examples of its routes. */
export type Stock = ReturnType<typeof openStock>

type Fields = Record<string, unknown>

export function openStock(
  t: TestApp,
  merchant: Merchant,
  entries: Entry[],
  { freeText, turn = () => {} }: { freeText?: string; turn?: () => unknown } = {},
) {
  /** Shown ids by their prefixes, in the order in which they were made. */
  const ids = new Map<string, string[]>()
  const objects = new Map<string, Fields[]>()
  let texts = 0
  // What may be given to one object only is another each time.
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
    /** Lets time pass where a rail is played. */
    turn,
    /** Names an object that no POST of ours has made. */
    add,

    /** A POST, its ids of examples replaced; returns the result. */
    async post(url: string, body: object) {
      const sent = await stock.withIds(body)
      const { status, body: answer } = await merchant.call('POST', url, sent)
      const entry = entries.find(({ name }) => name === `POST ${url}`)
      const hint = `if that cannot be, add "make" to ${placeOf(entry ?? { slice: '<slice>' })}`
      assert.equal(status, 200, `POST ${url} of ${JSON.stringify(sent)}: ${JSON.stringify(answer)}; ${hint}`)
      if (typeof answer.result.id === 'string') add(answer.result.id)
      return answer.result
    },

    /** POSTs the example and the full body of every route of a slice that makes an object. */
    async postExamples(slice: string) {
      for (const entry of entries.filter((one) => one.slice === slice && isMaking(one.route)))
        for (const bodyOf of [exampleOf, fullBodyOf])
          await stock.post(entry.route.url, bodyOf(entry, nextText()))
    },

    /** Something of every kind there is, slice by slice; then reads all of it. */
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

    /** Ends what would go on by itself. */
    async settle() {
      const bySlice = Map.groupBy(entries, ({ slice }) => slice)
      for (const [entry] of bySlice.values()) await entry!.examples.rest?.(stock)
      await stock.read()
      return stock
    },

    /** Reads all lists; those inside another object when that has been read. */
    async read() {
      const lists = entries.filter(({ route }) => route.kind === 'list')
      const inside = ({ route }: Entry) => Number(route.url.includes(':'))
      for (const { route } of lists.toSorted((a, b) => inside(a) - inside(b))) {
        const { status, body } = await merchant.call('GET', `${stock.pathOf(route)}?limit=50`)
        assert.equal(status, 200, `${route.url}: ${JSON.stringify(body)}`)
        objects.set(route.url, body.result)
        for (const { id } of body.result.toReversed()) if (typeof id === 'string') add(id)
      }
    },

    /** The path of a route to one of the objects, the first of its kind or the last. */
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
        const hint = `what makes one? Add "make" to ${placeOf(entry!)}`
        assert.ok(value !== undefined, `nothing here is named by :${name} of ${route.url}: ${hint}`)
        return String(value)
      })
    },

    /** A body with ids of objects of this Space in place of those of examples; such objects are made where there are none. */
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
            `no POST makes the ${prefix}-… that a body names: add "make" to the slice's examples.ts`,
          )
          await stock.post(maker.route.url, exampleOf(maker, nextText()))
        }
        real.set(id, stock.ids(prefix)[nth]!)
      }
      return JSON.parse(text.replace(/\b[a-z]{3}-01kaj3v5w8e4r9tbn2m6c7d0\w\w\b/g, (id) => real.get(id)!))
    },

    /** The queries of a route, each of which finds something here: by each filter, and by all that one object has. */
    queriesOf({ route, name, slice, examples }: Entry): Record<string, string>[] {
      const filters = Object.entries((route.query as Shape | undefined)?.properties ?? {})
      const rows = objects.get(route.url) ?? []
      const hasOwn = (filter: string) => rows.some((row) => (firstOf([row], filter) ?? null) !== null)
      const known = (row: Fields, filter: string, shape: Shape): unknown => {
        if (shape.type === 'boolean') return true
        if (filter === 'q') return row.id
        // A part of a name finds the row.
        if (filter === 'text') return row.name ?? undefined
        const own = firstOf([row], filter) ?? examples.filters?.[filter]?.[0]
        if (own === undefined && shape.format === 'date-time') return new Date(0).toISOString()
        // Of the document, where no object here has one of its own.
        return own ?? (hasOwn(filter) ? undefined : shape.examples?.[0])
      }
      const each = filters.map(([filter, shape]) => {
        const value = rows.map((row) => known(row, filter, shape)).find((one) => one !== undefined)
        const hint = `let "make" of ${placeOf({ slice })} make something that has it, or say it in "filters" there`
        assert.ok(value !== undefined || route.kind !== 'list', `nothing has a ${filter} of ${name}: ${hint}`)
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
      return [{}, ...each, ...(most && filters.length > 1 ? [most] : [])]
    },
  }
  return stock
}

/** What the example of a route says, with text of ours where it takes any. */
export function exampleOf({ route, name, slice }: Entry, freeText?: string): object {
  assert.ok(route.example, `${name} has no example: give it one, or add "make" to ${placeOf({ slice })}`)
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

/** Whether a route makes an object of its own: a POST to a list. */
const isMaking = ({ kind, url, result }: ApiRoute) =>
  kind === 'command' && !url.includes(':') && kindMadeBy({ result } as ApiRoute) !== undefined

const kindMadeBy = ({ result }: ApiRoute): string | undefined =>
  /^\^([a-z]{3})-/.exec(String((result as Shape).properties?.id?.pattern))?.[1]

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

/** The first value of a field, wherever it stands: `sourceAccountId` is `source.accountId`, or `sourceAccount.id`. */
function firstOf(rows: Fields[], name: string): unknown {
  function* leaves(value: unknown, at: string): Generator<[string, unknown]> {
    if (typeof value !== 'object' || value === null) return yield [at, value]
    for (const [field, inner] of Object.entries(value)) yield* leaves(inner, at + field)
  }
  // Of providers those of the Space's own country first: the accounts of examples are there.
  const isOwn = ({ country }: Fields) => Number(country === 'SL')
  for (const row of rows.toSorted((one, other) => isOwn(other) - isOwn(one)))
    for (const [at, value] of leaves(row, '')) if (plain(at) === plain(name) && value !== null) return value
  return undefined
}
