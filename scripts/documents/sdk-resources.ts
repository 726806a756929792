import { ofSessions, sdkMethodOf } from '../../src/docs/reference/sdk-methods.ts'
import { openApiOf } from '../../src/platform/http/openapi.ts'
import { needs } from '../../src/platform/http/openapi-operations.ts'
import type { ApiRoute, Route } from '../../src/platform/http/route.ts'
import { isApiRoute } from '../../src/reference.ts'
import { commentOf, membersType, type Shape, typeOf } from './schema-types.ts'

type Method = {
  /** `['installation', 'spaces']` */
  resource: string[]
  name: string
  /** As `sdk/src/client.ts` reads it: a text, or the name of a function that makes the method. */
  entry: string
  declaration: string
  /** The types of what it is given, where they have no name in the API. */
  types: string[]
}

/** The interfaces of the client's resources, and the types of what their methods are given. */
export function writeSdkResources(routes: Route[]): string {
  const methods = methodsOf(routes)
  const used = new Set(
    methods.flatMap(({ declaration, types }) => [declaration, ...types].join(' ').match(/\b[A-Z]\w+/g) ?? []),
  )
  // The document is ours, and has this member.
  const { schemas } = openApiOf(routes, '').components as { schemas: Record<string, unknown> }
  const types = [...Object.keys(schemas).filter((name) => name !== 'Error'), 'WebhookEvent']
  return [
    written,
    "import type { Call, List } from '../call.ts'",
    "import type { CallOptions } from '../options.ts'",
    "import type { StreamOptions } from '../stream.ts'",
    "import type { verifyWebhook } from '../webhooks.ts'",
    `import type {\n${types
      .filter((name) => used.has(name))
      .map((type) => `  ${type},`)
      .join('\n')}\n} from './types.ts'\n`,
    ...[...Map.groupBy(methods, ({ resource }) => resource.join('.'))].map(([name, own]) =>
      interfaceOfMethods(name, own),
    ),
    ...groupsOf(methods).flatMap(([name, inner]) =>
      inner.length === 0
        ? []
        : `export interface ${interfaceOf([name])} {\n${inner.map((each) => `  readonly ${each}: ${interfaceOf([name, each])}\n`).join('')}}\n`,
    ),
    `/** The calls of a service, by their resources. */\nexport interface Resources {\n${groupsOf(methods)
      .map(([name]) => `  readonly ${name}: ${interfaceOf([name])}\n`)
      .join('')}}\n`,
  ].join('\n')
}

const interfaceOfMethods = (name: string, methods: Method[]) =>
  `${methods.flatMap(({ types }) => types).join('')}export interface ${interfaceOf(name.split('.'))} {\n${methods
    .map(({ declaration }) => declaration)
    .join('\n')}\n}\n`

/** What makes the methods: an entry for each, by resources, so that bundlers drop what is not used. */
export function writeSdkOperations(routes: Route[]): string {
  const methods = methodsOf(routes)
  const groups = groupsOf(methods)
  const interfaces = groups.map(([name]) => interfaceOf([name])).sort()
  return [
    written,
    "import type { Resource } from '../connect.ts'",
    "import { streamMethod } from '../stream.ts'",
    "import { verifyMethod } from '../webhooks.ts'",
    `import type {\n${interfaces.map((each) => `  ${each},\n`).join('')}} from './resources.ts'\n`,
    '// Method, address, and what goes with it: `b` a body, `q` a query; `l`: what comes is a list.\n',
    ...groups.map(
      ([name]) =>
        `export const ${name}: Resource<${interfaceOf([name])}> = ${tableOf(methods.filter(({ resource }) => resource[0] === name))}\n`,
    ),
    `export const operations = {\n${groups.map(([name]) => `  ${name},\n`).join('')}}\n`,
  ].join('\n')
}

const written = '// Written by `npm run write` from the routes: edit those instead.\n'

type Parameter = {
  $ref?: string
  name: string
  in: string
  required: boolean
  schema: Shape
  description?: string
}
type Media = { content?: Record<string, { schema: Shape }> }
type Operation = {
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: Media
  responses: Record<string, Media>
}

function methodsOf(routes: Route[]): Method[] {
  // The same.
  const paths = openApiOf(routes, '').paths as Record<string, Record<string, Operation>>
  const called = routes.filter(isApiRoute).filter(({ url }) => !ofSessions.includes(url.split('/')[2] ?? ''))
  const methods = called.map((route) => {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const operation = paths[path]?.[route.method.toLowerCase()]
    if (!operation) throw new Error(`the document lacks ${route.method} ${path}`)
    return route.kind === 'stream' ? streamMethod(path, operation) : methodOf(route, path, operation)
  })
  return [...methods, verifyMethod]
}

const verifyMethod: Method = {
  resource: ['webhooks'],
  name: 'verify',
  entry: 'verifyMethod',
  declaration:
    '  /** Checks the signature of an event that was received, and returns the event. */\n  verify: typeof verifyWebhook',
  types: [],
}

/** There is one: it is written by hand, since it comes back after a connection that was lost. */
function streamMethod(path: string, { summary, description = '' }: Operation): Method {
  if (path !== '/v1/events/stream') throw new Error(`the client knows no stream ${path}`)
  const says = `${summary}, in their order, until \`signal\` ends it or the loop is left. ${description}\nA connection that was lost is made again, and nothing is left out.`
  return {
    resource: ['events'],
    name: 'stream',
    entry: 'streamMethod',
    declaration: `${commentOf(says, '  ')}  stream(options?: StreamOptions): AsyncIterable<WebhookEvent>`,
    types: [],
  }
}

function methodOf(route: ApiRoute, path: string, operation: Operation): Method {
  const { parameters = [], requestBody, responses } = operation
  const { resource, name } = sdkMethodOf({ method: route.method, path, isList: route.kind === 'list' })
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const own = route.kind === 'list' ? queries.filter(({ name }) => name !== 'after') : queries
  const taken = requestBody?.content?.['application/json']?.schema
  // Where nothing can be sent, nothing has to be.
  const body = taken && typeOf(taken) !== 'Record<string, never>' ? taken : undefined
  const json = responses['200']?.content?.['application/json']?.schema
  const result = json?.properties?.result ?? { type: 'null' }
  const typeName = `${interfaceOf(resource).replace(/Resource$/, '')}${capital(name)}`
  const bodyType = body?.$ref ? typeOf(body) : `${typeName}Body`
  const read = { isOpen: true, indent: '  ' }
  const segments = parameters.filter((parameter) => parameter.in === 'path')
  const parts = [
    ...segments.map(({ name }) => `${name}: string`),
    ...(body ? [`body${(body.required ?? []).length > 0 || body.$ref ? '' : '?'}: ${bodyType}`] : []),
    ...(own.length > 0 ? [`query${own.some(({ required }) => required) ? '' : '?'}: ${typeName}Query`] : []),
    'options?: CallOptions',
  ]
  const type =
    route.kind === 'list' ? `List<${typeOf(result.items ?? {}, read)}>` : `Call<${typeOf(result, read)}>`
  const kinds = [body && 'b', own.length > 0 && 'q', route.kind === 'list' && 'l'].filter(Boolean).join('')
  const comment = commentOf(
    [
      `${route.summary}. ${route.permission ? needs(route) : ''}`.trim(),
      ...rulesIn(operation.description),
      ...segments.flatMap(({ name, description }) => (description ? [`@param ${name} ${description}`] : [])),
      ...(body?.description ? [`@param body ${body.description}`] : []),
      ...(route.kind === 'list' && own.length > 0 ? ['@param query Filters, and how many a page has.'] : []),
      '@param options Of this call alone: its key, its limits of time, a signal to give up.',
    ].join('\n'),
    '  ',
  )
  return {
    resource,
    name,
    entry: `'${route.method} ${path}${kinds && ` ${kinds}`}'`,
    declaration: `${comment}  ${name}(${parts.join(', ')}): ${type}`,
    types: [
      ...(body && !body.$ref ? [`export type ${typeName}Body = ${typeOf(body, { indent: '' })}\n\n`] : []),
      ...(own.length > 0 ? [`export type ${typeName}Query = ${queryType(own)}\n\n`] : []),
    ],
  }
}

/** What a description says beside who may. */
const rulesIn = (description = '') => description.split('\n').filter((line) => line.startsWith('- '))

const queryType = (parameters: Parameter[]) =>
  membersType(
    parameters.map(({ name, required, schema }) => ({
      ...{ name, isRequired: required, type: typeOf(schema, { indent: '  ' }) },
      shape: name === 'limit' ? { ...schema, description: pageSizeOf(schema) } : schema,
    })),
    { indent: '' },
  )

const pageSizeOf = ({ description, maximum, default: usual }: Shape) =>
  description ?? `How many a page has: ${maximum} at most, and ${usual} where it is left out.`

const capital = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`
const interfaceOf = (resource: string[]) => `${resource.map(capital).join('')}Resource`

/** Resources, and those inside of them. */
function groupsOf(methods: Method[]): [name: string, inner: string[]][] {
  const groups = Map.groupBy(methods, ({ resource }) => resource[0] ?? '')
  return [...groups].map(([name, own]) => [
    name,
    [...new Set(own.flatMap(({ resource }) => resource[1] ?? []))],
  ])
}

/** Of one resource. */
function tableOf(methods: Method[], depth = 1): string {
  const indent = '  '.repeat(depth)
  const lines = [...Map.groupBy(methods, ({ resource, name }) => resource[depth] ?? name)].map(
    ([name, own]) => {
      const [first] = own
      if (first?.resource[depth] !== undefined) return `${indent}${name}: ${tableOf(own, depth + 1)}`
      if (own.length > 1) throw new Error(`two methods are called ${first?.resource.join('.')}.${name}`)
      return `${indent}${name}: ${first?.entry}`
    },
  )
  return `{\n${lines.join(',\n')},\n${'  '.repeat(depth - 1)}}`
}
