import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import type { ApiRoute } from '../../packages/server/src/platform/http/commands/route.ts'
import { reasonsOf } from '../../packages/server/src/platform/http/openapi/openapi-errors.ts'
import type { Answer } from './harness.ts'

/** A schema in the OpenAPI document. */
export type Described = {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Described[]
  oneOf?: Described[]
  properties?: Record<string, Described>
  required?: string[]
  items?: Described
  examples?: unknown[]
  pattern?: string
  format?: string
} & Partial<
  Record<
    'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'minProperties',
    number
  >
>

type Content = {
  content?: Record<string, { schema: Described; example?: unknown }>
  $ref?: string
  description?: string
}
export type Parameter = {
  $ref?: string
  name: string
  in?: string
  description?: string
  example?: unknown
  schema: Described
}
export type Operation = {
  operationId: string
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
  'x-reasons'?: string[]
}
export type OpenApi = {
  tags: { name: string; description?: string }[]
  webhooks: Record<string, { post: Operation }>
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Described>
    responses: Record<string, Content>
    parameters: Record<string, Parameter>
  }
}

/**
 * Returns a function that validates a response against the document and returns the errors. A status that the
 * document does not list is an error.
 */
export function createDocumentCheck(document: OpenApi) {
  const validators = new Map<string, ReturnType<typeof Compile>>()
  return (method: string, path: string, status: number, body: unknown): unknown[] => {
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses
    const given = responses?.[status] ?? (status >= 400 ? responses?.default : undefined)
    if (!given) return [`${method} ${path} has no response ${status} in the document`]
    const name = `${method} ${path} ${status}`
    const shared = given.$ref?.split('/').at(-1)
    const response = shared === undefined ? given : document.components.responses[shared]
    const schema = response?.content?.['application/json']?.schema
    const known = validators.get(name) ?? Compile({ components: document.components, ...schema })
    validators.set(name, known)
    return known.Errors(body)
  }
}

const pathOf = ({ url }: ApiRoute) => url.replace(/:(\w+)/g, '{$1}')

/** Returns the document's description of a route. */
export const operationIn = (document: OpenApi, route: ApiRoute): Operation =>
  document.paths[pathOf(route)]![route.method.toLowerCase()]!

/**
 * Asserts that a response matches its schema in the document and, if it is a refusal, that the document lists
 * the reason.
 */
export function assertDocumented(
  check: ReturnType<typeof createDocumentCheck>,
  route: ApiRoute,
  { status, body }: Answer,
): void {
  assert.deepEqual(check(route.method, pathOf(route), status, body), [], JSON.stringify(body))
  if (!body.success)
    assert.ok(
      reasonsOf(route).includes(body.error.reason),
      `the document has no such reason for ${route.url}: ${body.error.reason}`,
    )
}

/** Returns a function that validates a value against a schema of the document and returns the errors. */
export const createShapeCheck =
  ({ components }: OpenApi) =>
  (schema: Described, value: unknown): unknown[] =>
    Compile({ components, ...schema }).Errors(value)

/**
 * Returns the paths of fields that only one of two objects has. Objects with arbitrary keys, such as
 * `metadata`, are not compared.
 */
export function differences(
  example: unknown,
  real: unknown,
  isOptional: (name: string) => boolean,
  at = '',
): string[] {
  if (Array.isArray(example) && Array.isArray(real))
    return example.length > 0 && real.length > 0
      ? differences(example[0], real[0], isOptional, `${at}[]`)
      : []
  if (!isObject(example) || !isObject(real)) return []
  const names = new Set([...Object.keys(example), ...Object.keys(real)])
  return [...names].flatMap((name) => {
    const inside = `${at}.${name}`
    if (free.has(name) || (isOptional(name) && !(name in example && name in real))) return []
    if (name in example && name in real) return differences(example[name], real[name], isOptional, inside)
    return [`${inside} is only in ${name in example ? 'the example' : 'the response'}`]
  })
}

const free = new Set(['metadata', 'headers', 'details', 'options', 'owner', 'texts'])
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Generates values that match a schema of the document. `known` has the generators for fields that refer to
 * existing objects, by the field's path.
 */
export function arbitraryOf(
  document: OpenApi,
  schema: Described,
  known: Record<string, fc.Arbitrary<unknown>> = {},
  at = '',
): fc.Arbitrary<unknown> {
  const inner = (one: Described, path = at) => arbitraryOf(document, one, known, path)
  if (schema.$ref) return inner(document.components.schemas[schema.$ref.split('/').at(-1)!]!)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((one) => inner(one)))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type!].flat()
  if (types.length > 1)
    return fc.oneof(
      ...types.map((type) => ({ arbitrary: inner({ ...schema, type }), weight: type === 'null' ? 1 : 4 })),
    )
  const named = known[at]
  if (named) return named
  switch (types[0]) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(
        fc.integer({ min: schema.minimum!, max: schema.maximum! }),
        fc.constantFrom(schema.minimum, ...(schema.examples ?? [])),
      )
    case 'string':
      return textOf(schema)
    case 'array':
      return fc.array(inner(schema.items!, `${at}[]`), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      })
    default:
      return objectOf(schema, (name, one) => inner(one, at === '' ? name : `${at}.${name}`))
  }
}

/**
 * Generates texts that match a schema. If its rule cannot be expressed in the schema, the schema has examples,
 * which are used instead.
 */
function textOf({ format, pattern, examples, minLength = 0, maxLength = 60 }: Described) {
  const example = examples && fc.constantFrom(...(examples as string[]))
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2001-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  if (pattern) {
    const matching = fc
      .stringMatching(new RegExp(pattern))
      .filter((text) => text.length >= minLength && text.length <= maxLength)
    return example ? fc.oneof({ arbitrary: example, weight: 4 }, matching) : matching
  }
  if (example) return example
  const letters = fc.constantFrom(...'abc XYZ09-_.,;:!?/é₵ßاب🦜'.match(/./gu)!)
  return fc
    .oneof(
      fc.array(letters, { minLength, maxLength: Math.min(maxLength, 40) }),
      fc.array(letters, { minLength: maxLength, maxLength }),
    )
    .map((parts) => parts.join(''))
    .filter((text) => text === '' || text.trim() !== '')
}

function objectOf(
  { properties, required = [], minProperties = 0, examples }: Described,
  inner: (name: string, schema: Described) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  if (!properties)
    return examples
      ? fc.constantFrom({}, ...examples)
      : fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  const fields = Object.entries(properties).map(([name, schema]) => [name, inner(name, schema)] as const)
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: required })
    .filter((value) => Object.values(value).filter((entry) => entry !== null).length >= minProperties)
}
