import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { parseJson } from '../../../packages/server/src/platform/http/commands/json.ts'
import type { ApiRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { querySchema } from '../../../packages/server/src/platform/http/lists/lists.ts'
import { Checker } from '../../../packages/server/src/platform/http/shapes/validation.ts'
import { Issues } from '../../../packages/server/src/platform/refusals.ts'
import { visible } from '../../../packages/server/src/platform/text-rules.ts'
import {
  entriesOf,
  fullBodyOf,
  hasOwnRule,
  kindNamedBy,
  openStock,
  placeOf,
  type Shape,
} from '../../support/examples.ts'
import { startTestApp } from '../../support/harness.ts'
import { waitBeforeNextCheck } from '../../support/patience.ts'
import { send, type WireAnswer } from '../../support/wire.ts'

const t = await startTestApp()
after(() => t.close())
const merchant = await t.merchant({ isOperator: true })
/** Full bodies for every route with a body. Every field is set to a value within its limits. */
const entries = await entriesOf(t)
const stock = await openStock(t, merchant, entries).fill()
const fullBodies = new Map<string, Json>()
for (const entry of entries)
  if (entry.route.body) fullBodies.set(entry.name, await stock.withIds(fullBodyOf(entry)))

/** Returns a path whose object does not exist, or is never the cause of an issue. */
const pathOf = ({ url, idKind }: ApiRoute) =>
  url.replace(/:\w+/, idKind ? `${idKind.prefix}-01kaj3v5w8e4r9tbn2m6c7d0xz` : 'm17')

const postOnce = (route: ApiRoute, body: string | Buffer, query = '') =>
  send(t.baseUrl, {
    method: route.method,
    path: pathOf(route) + query,
    headers: {
      authorization: `Bearer ${merchant.tokenFor(route.url)}`,
      'service-space-id': merchant.spaceId,
      ...(route.body && { 'content-type': 'application/json' }),
      ...(route.kind === 'command' && { 'idempotency-key': randomUUID() }),
    },
    ...(route.body && { body }),
  })

/** Repeats a request until no other statement is being reconciled, because a statement is validated only then. */
async function post(...request: Parameters<typeof postOnce>): ReturnType<typeof postOnce> {
  const since = performance.now()
  for (;;) {
    const answer = await postOnce(...request)
    if (!JSON.stringify(answer).includes('is running. Try again')) return answer
    await waitBeforeNextCheck(since)
  }
}

const invalidParamsIn = ({ status, json }: WireAnswer): string[] => {
  assert.ok(status < 500, `answered ${status}`)
  return json.error?.reason === 'arguments_invalid'
    ? json.error.details.map(({ param }: { param: string }) => param)
    : []
}

/** Marks a number that `textOf` writes literally, without converting it to a double. */
const raw = (text: string) => `@raw ${text}@`
const textOf = (body: unknown) => JSON.stringify(body).replace(/"@raw ([^"]*)@"/g, '$1')

const ofEveryType: Record<string, unknown> = {
  string: 'text',
  integer: 7,
  boolean: true,
  array: [],
  object: {},
}
const typesOf = ({ type, enum: choices }: Shape) => (choices ? ['string'] : [type!].flat())

/** Whether a field accepts any text with a visible character. */
const isName = ({ pattern }: Shape) => typeof pattern === 'string' && pattern.endsWith(visible)

/** Generates values that a field with this schema must refuse. */
function* refused(shape: Shape): Generator<unknown> {
  const types = typesOf(shape)
  for (const [type, value] of Object.entries(ofEveryType)) if (!types.includes(type)) yield value
  if (shape.enum) yield* ['another', '', 'Custom']
  if (types.includes('string'))
    yield* ['a\0b', '\ud800', 'x'.repeat(200_000), 'x'.repeat((shape.maxLength ?? 200) + 1)]
  if (shape['~refine'] && !hasOwnRule(shape)) yield* ['مرحبا \u202e', 'a\u200bb']
  if (isName(shape)) return yield* [' ', '\u00a0\u200b', '\t\n\u0007', ...(shape.minLength ? [''] : [])]
  if (shape.minLength || shape.pattern || hasOwnRule(shape) || shape.format) yield ''
  if (shape.pattern || hasOwnRule(shape) || shape.format) yield* ['🦜', 'مرحبا', ' ']
  if (types.includes('integer')) yield* outOfRange(shape)
  if (types.includes('array') && shape.maxItems) yield Array(shape.maxItems + 1).fill('m17')
  if (types.includes('array') && shape.minItems) yield []
}

const outOfRange = ({ minimum = 0, maximum = 0 }: Shape) => [
  ...[
    '1e400',
    '-1e400',
    '1.00000000000000000001',
    '9007199254740992',
    '9007199254740993',
    // Negative zero, if zero is not allowed.
    ...(minimum === 0 ? [] : ['-0']),
    '1.5',
    '0.1',
    '1e-9',
  ].map(raw),
  minimum - 1,
  maximum + 1,
]

/** Generates values that the field must accept: both limits, and text in any script. */
function* accepted(shape: Shape): Generator<unknown> {
  const isText = (!shape.pattern || isName(shape)) && !hasOwnRule(shape) && !shape.format && !shape.enum
  if (typesOf(shape).includes('string') && isText) {
    yield* ['مرحبا', '🦜'.repeat(shape.maxLength!), 'x'.repeat(shape.maxLength!)]
    yield 'x'.repeat(shape.minLength ?? 0)
  }
  if (shape.type === 'integer') yield* [shape.minimum, shape.maximum, raw('1.0'), raw('1e0'), raw('10e-1')]
}

/**
 * Whether a field is an id, a URL or a colour. For these, an empty string means none, because forms send one
 * for an empty input.
 */
const isNameOrAddress = (shape: Shape) =>
  kindNamedBy(shape) !== undefined || shape.format === 'uri' || /^\^#/.test(String(shape.pattern))

type Field = {
  param: string
  shape: Shape
  isRequired: boolean
  put(value: unknown): unknown
  remove(): unknown
}

type Json = Record<string, unknown>

/** Returns the value at a path such as `lineItems[0].price`. */
const holderOf = (body: Json, at: string): Json =>
  (at.match(/\w+/g) ?? []).reduce((inner, step) => inner[step] as Json, body)

/** Returns every field in a schema, each with a function that replaces its value in a copy of the body. */
function* fieldsOf(shape: Shape, body: Json, at = '', whole = body): Generator<Field> {
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    const param = at ? `${at}.${name}` : name
    assert.ok(Object.hasOwn(body, name), `the full body is missing ${param}`)
    const change = (edit: (holder: Json) => void) => {
      const copy = structuredClone(whole)
      edit(holderOf(copy, at))
      return copy
    }
    yield {
      param,
      shape: field,
      isRequired: shape.required?.includes(name) ?? false,
      put: (value) => change((holder) => Object.assign(holder, { [name]: value })),
      remove: () => change((holder) => void delete holder[name]),
    }
    // The body does not contain a field if it contains another that excludes it.
    if (body[name] === null) continue
    yield* fieldsOf(field, body[name] as Json, param, whole)
    if (field.items) yield* fieldsOf(field.items, (body[name] as Json[])[0]!, `${param}[0]`, whole)
  }
}

/** Returns the fields of a PATCH that `null` clears. */
const takesNull = ({ type }: Shape) => Array.isArray(type) && type.includes('null')

for (const entry of entries.filter(({ route }) => route.body))
  describe(`${entry.name}: every field`, () => {
    const { route, name: nameOfRoute, examples } = entry
    const shape = route.body as Shape
    const checker = new Checker(route.body!)
    const full = fullBodies.get(nameOfRoute)!
    /** Whether a field has rules that its schema does not express, and which are validated by meaning. */
    const hasRules = (param: string) =>
      route.rules?.some(({ about }) => about.includes(param.replaceAll(/\[\d+\]/g, '[]')))

    test('is set in the full body, which is accepted', async () => {
      const issues = invalidParamsIn(await post(route, textOf(full)))
      assert.deepEqual(issues, [], `add their values to "bodies" of ${placeOf(entry)}: ${textOf(full)}`)
    })

    for (const { param, shape: field, isRequired, put, remove } of fieldsOf(shape, full))
      test(`${param} refuses invalid values and accepts valid ones`, async () => {
        const issuesWith = async (body: unknown) => invalidParamsIn(await post(route, textOf(body)))
        const isReported = (params: string[]) =>
          params.some((reported) => reported === param || reported.startsWith(`${param}[`))
        const isNeeded = isRequired || !!examples.required?.[nameOfRoute]?.includes(param)
        const cannotClear = route.method === 'PATCH' && !param.includes('.')
        const refusesNull = (isNeeded || cannotClear) && !takesNull(field)
        const isEmptyNone = isNameOrAddress(field) && !refusesNull
        for (const value of refused(field)) {
          if (value === '' && isEmptyNone) continue
          const reported = await issuesWith(put(value))
          assert.ok(
            isReported(reported),
            `${param} accepted ${textOf(value).slice(0, 80)}; reported: ${reported}`,
          )
        }
        for (const value of accepted(field)) {
          const invalid = hasRules(param)
            ? issuesOfShape(checker, put(value), route)
            : await issuesWith(put(value))
          assert.ok(!isReported(invalid), `${param} refused ${textOf(value).slice(0, 80)}`)
        }
        // Without this field another one may be required, which is validated by meaning.
        const without =
          hasRules(param) && !refusesNull
            ? issuesOfShape(checker, put(null), route)
            : await issuesWith(put(null))
        assert.equal(isReported(without), refusesNull, 'null')
        if (isEmptyNone) assert.deepEqual(await issuesWith(put('')), await issuesWith(put(null)), 'as null')
        assert.equal(isReported(await issuesWith(remove())), isNeeded, 'left out')
      })

    test('an unknown field is refused at every level with named fields', async () => {
      const levels = [{ param: '', shape, put: (value: unknown) => value }, ...fieldsOf(shape, full)]
      // Parts that the full body leaves out, because another field excludes them, have no fields here.
      for (const { param, shape: level, put } of levels)
        if (level.properties && holderOf(full, param) !== null)
          for (const name of ['nonsense', 'constructor', 'toString', '__proto__', 'a.b', '0']) {
            const holder = holderOf(full, param)
            const unknown = `{${JSON.stringify(name)}:{"a":1}`
            const extra = textOf(holder).replace(/^\{(?=(\})?)/, (_, isEmpty) =>
              isEmpty ? unknown : `${unknown},`,
            )
            const reported = invalidParamsIn(
              await post(
                route,
                textOf(put(raw('HERE'))).replace('HERE', () => extra),
              ),
            )
            const path = param ? `${param}.${name}` : name
            assert.ok(reported.includes(path), `${path} was accepted; reported: ${reported}`)
          }
    })
  })

function issuesOfShape(checker: Checker, body: unknown, { method }: ApiRoute): string[] {
  const issues = new Issues()
  checker.checkBody(parseJson(Buffer.from(textOf(body))), issues, method)
  return issues.list.map(({ param }) => param)
}

describe('the query of every route', () => {
  for (const { route, name: nameOfRoute } of entries)
    test(`${nameOfRoute} refuses unknown parameters and values out of range`, async () => {
      const { properties = {}, required = [] } = querySchema(route) as Shape
      const reportedFor = async (query: string) => {
        const others = required.filter((name) => !query.startsWith(`${name}=`))
        const whole = [query, ...others.map((name) => `${name}=${exampleIn(properties, name)}`)].join('&')
        return invalidParamsIn(await post(route, textOf(fullBodies.get(nameOfRoute) ?? {}), `?${whole}`))
      }
      for (const name of [
        'nonsense',
        '__proto__',
        'constructor',
        'hasOwnProperty',
        'Limit',
        'limit[]',
        'limit.a',
      ])
        for (const value of ['1', '', 'null'])
          assert.deepEqual(await reportedFor(`${name}=${value}`), [name], `${name}=${value}`)
      assert.deepEqual(await reportedFor('__proto__=1&__proto__=2'), ['__proto__'])
      for (const [name, shape] of Object.entries(properties)) {
        const wrong = {
          string: [`${'x'.repeat(shape.maxLength! + 1)}`, '%00'],
          boolean: ['1', 'yes', 'TRUE', '%00'],
          integer: wrongLimits.filter(
            (value) => !(Number(value) <= (shape.maximum ?? 0) && Number(value) >= 1),
          ),
        }
        const values = shape.enum ? ['another', 'Credit'] : wrong[shape.type as keyof typeof wrong]
        for (const value of [...values, `1&${name}=2`])
          assert.deepEqual(await reportedFor(`${name}=${value}`), [name], value)
        const whenAbsent = required.includes(name) ? [name] : []
        for (const value of ['', 'null'])
          assert.deepEqual(await reportedFor(`${name}=${value}`), whenAbsent, value)
      }
    })
})

const exampleIn = (properties: Record<string, Shape>, name: string): string => {
  const [example] = properties[name]?.examples ?? []
  assert.ok(example, `${name} is required in a query: its shape needs an example`)
  return encodeURIComponent(String(example))
}

const wrongLimits = [
  '0',
  '51',
  '-1',
  '1.5',
  '1e1',
  '0x10',
  '%2010',
  'ten',
  'NaN',
  'Infinity',
  '9007199254740993',
  '%F0%9F%A6%9C',
]

describe('however many issues there are', () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, i]))
  const wrong = { name: 'x', lineItems: [{ name: 'x', price: { currency: 'SLE', value: -5 } }] }

  test('a body with more unknown fields than can be reported is refused', async () => {
    const merchant = await t.merchant()
    for (const body of [
      { ...unknown, ...wrong },
      { ...wrong, ...unknown },
      { ...wrong, lineItems: [{ ...wrong.lineItems[0], ...unknown }] },
    ]) {
      const { status, body: answer } = await merchant.call('POST', '/v1/checkout-sessions', body)
      assert.deepEqual([status, answer.error.reason], [400, 'arguments_invalid'])
      assert.ok(answer.error.details.length > 0)
    }
  })

  test('a query of a thousand unknown parameters is refused', async () => {
    const merchant = await t.merchant()
    const { status } = await merchant.call(
      'GET',
      `/v1/payments?${new URLSearchParams(unknown as never).toString().slice(0, 12_000)}`,
    )
    assert.equal(status, 400)
  })
})
