import { openApiOf } from '../../src/platform/http/openapi.ts'
import type { Route } from '../../src/platform/http/route.ts'

/** A JSON Schema as far as it becomes a type. */
type Shape = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  maximum?: number
  items?: Shape
  oneOf?: Shape[]
  anyOf?: Shape[]
}
type Parameter = { $ref?: string; name: string; in: string; required: boolean; schema: Shape }
type Media = { content?: Record<string, { schema: Shape }> }
type Operation = { parameters?: Parameter[]; requestBody?: Media; responses: Record<string, Media> }

/**
 * The calls of the API as types, from the very document that is published: the console compiles only where each call that
 * it makes is in there.
 */
export function writeApiTypes(routes: Route[]): string {
  const { paths, components } = openApiOf(routes, '')
  // The document is ours, and has these members.
  const operations = Object.entries(paths as Record<string, Record<string, Operation>>)
  const schemas = Object.entries((components as { schemas: Record<string, Shape> }).schemas)
  const lines = [
    '// Written by `npm run write` from the routes: edit those instead.',
    '',
    ...schemas
      .filter(([name]) => name !== 'Error')
      .map(([name, shape]) => `type ${name} = ${typeOf(shape)}\n`),
    '/** By method and address: what goes with each call, and the `result` that it returns. */',
    'export type Calls = {',
    ...operations.flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => `  '${method.toUpperCase()} ${path}': ${callType(operation)}`,
      ),
    ),
    '}',
  ]
  return `${lines.join('\n')}\n`
}

function callType({ parameters = [], requestBody, responses }: Operation): string {
  const json = responses['200']?.content?.['application/json']?.schema
  const result = json?.properties?.result ?? json ?? { type: 'string' }
  const isList = json?.properties?.pagination !== undefined
  const body = requestBody?.content?.['application/json']?.schema
  const members = [
    ['path', parametersType(parameters, 'path')],
    ['query', parametersType(parameters, 'query')],
    ['body', body && typeOf(body)],
    ['result', typeOf(result)],
    ['isList', isList ? 'true' : undefined],
    ['needsSpace', parameters.some(({ $ref }) => $ref?.endsWith('/SpaceId')) ? 'true' : undefined],
  ]
  return `{ ${members.flatMap(([name, type]) => (type ? [`${name}: ${type}`] : [])).join('; ')} }`
}

function parametersType(parameters: Parameter[], place: string): string | undefined {
  const some = parameters.filter((parameter) => parameter.in === place)
  if (some.length === 0) return undefined
  const members = some.map(
    ({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${members.join('; ')} }`
}

function typeOf(shape: Shape): string {
  if (shape.$ref) return shape.$ref.split('/').at(-1) ?? 'unknown'
  if ('const' in shape) return JSON.stringify(shape.const)
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = shape.oneOf ?? shape.anyOf
  if (choices) return `(${[...new Set(choices.map(typeOf))].join(' | ')})`
  if (Array.isArray(shape.type)) return shape.type.map((type) => typeOf({ ...shape, type })).join(' | ')
  return plainType(shape)
}

function plainType(shape: Shape): string {
  switch (shape.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return shape.type
    case 'array':
      return `(${typeOf(shape.items ?? {})})[]`
    case 'object':
      return objectType(shape)
    default:
      return 'unknown'
  }
}

function objectType({ properties, required = [], additionalProperties }: Shape): string {
  const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  if (!properties) return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${rest}>`
  const members = Object.entries(properties).map(([name, shape]) => {
    const type = isSum(name, properties) ? 'number | bigint' : typeOf(shape)
    return `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${type}`
  })
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}

/** The value of an amount of money without a limit: it may be more than a double holds. */
const isSum = (name: string, { currency, value }: Record<string, Shape>) =>
  name === 'value' && currency !== undefined && value?.type === 'integer' && value.maximum === undefined

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
