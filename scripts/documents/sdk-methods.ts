import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiSchema,
  partsOf,
} from '../../packages/docs/src/reference/open-api.ts'
import { sdkMethodOf, sessionTags } from '../../packages/docs/src/reference/sdk-methods.ts'
import type { Route } from '../../packages/server/src/platform/http/commands/route.ts'
import { openApiOf } from '../../packages/server/src/platform/http/openapi/openapi.ts'
import { isTagged, needs, tagOf } from '../../packages/server/src/platform/http/openapi/openapi-operations.ts'
import { commentOf, membersType, typeOf } from './schema-types.ts'

/** A method of the SDK, as generated from a route. */
export type SdkMethod = {
  /** The names that lead to the resource, such as `['installation', 'spaces']`. */
  resource: string[]
  name: string
  /**
   * As in `packages/sdk/src/connect.ts`: a request line, or the name of a function that creates the method. Absent if
   * `packages/sdk/src/client.ts` adds the method.
   */
  entry?: string
  declaration: string
  /** Types of its parameters, if the API does not name them. */
  types: string[]
}

/**
 * Returns the client's methods: those that tokens can call, or those that only the console can call, with the
 * session of a signed-in user.
 */
export function methodsOf(routes: Route[], caller: 'token' | 'session'): SdkMethod[] {
  const document = documentOf(routes)
  const isForSession = (route: Route) => route.kind === 'raw' || sessionTags.includes(tagOf(route))
  const called = routes.filter((route) => isTagged(route) && isForSession(route) === (caller === 'session'))
  const methods = called.map((route) => {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const method = String(route.method)
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`the document does not contain ${method} ${path}`)
    return route.kind === 'stream'
      ? streamMethod(path, operation)
      : methodOf(route, { method, path, operation, document })
  })
  return caller === 'token' ? [...methods, verifyMethod] : methods
}

// Safe: this document is our own, and the type describes it.
export const documentOf = (routes: Route[]) => openApiOf(routes, '') as OpenApiDocument

const verifyMethod: SdkMethod = {
  resource: ['webhooks'],
  name: 'verify',
  declaration:
    '  /** Verifies the signature of a received event and returns the event. */\n  verify: typeof verifyWebhook',
  types: [],
}

/** The stream methods, by path. They are written by hand, because they resume after a lost connection. */
const streams: Record<string, { resource: string; entry: string; row: string; says: string }> = {
  '/v1/events/stream': {
    resource: 'events',
    entry: 'streamMethod',
    row: 'WebhookEvent',
    says: 'in order, until `signal` aborts or the loop ends. Reconnects after a lost connection without missing events',
  },
  '/v1/changes/stream': {
    resource: 'changes',
    entry: 'changesMethod',
    row: 'Change',
    says: 'until `signal` aborts or the loop ends. Reconnects after a lost connection',
  },
}

/** Generates the declaration of a stream method. */
function streamMethod(path: string, { summary, description = '' }: OpenApiOperation): SdkMethod {
  const stream = streams[path]
  if (!stream) throw new Error(`the client has no stream ${path}`)
  const { resource, entry, row, says } = stream
  const comment = commentOf(`${summary}, ${says}. ${description}`, '  ')
  return {
    resource: [resource],
    name: 'stream',
    entry,
    declaration: `${comment}  stream(options?: StreamOptions): AsyncIterable<${row}>`,
    types: [],
  }
}

type Call = { method: string; path: string; operation: OpenApiOperation; document: OpenApiDocument }

function methodOf(route: Route, { method, path, operation, document }: Call): SdkMethod {
  const { parameters, body: taken, response } = partsOf(operation, document)
  const isList = route.kind === 'list'
  const { resource, name } = sdkMethodOf({ method, path, isList })
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const own = isList ? queries.filter(({ name }) => name !== 'after') : queries
  // An empty body is optional.
  const body = taken?.schema && typeOf(taken.schema) !== 'Record<string, never>' ? taken.schema : undefined
  const json = response?.content?.['application/json']?.schema
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
  const type = isList ? `List<${typeOf(result.items ?? {}, read)}>` : `Call<${typeOf(result, read)}>`
  const kinds = [body && 'b', own.length > 0 && 'q', isList && 'l'].filter(Boolean).join('')
  const comment = commentOf(
    [
      [`${route.summary}.`, route.about, route.kind !== 'raw' && route.permission && needs(route)]
        .filter(Boolean)
        .join(' '),
      ...rulesIn(operation.description),
      ...segments.flatMap(({ name, description }) => (description ? [`@param ${name} ${description}`] : [])),
      ...(body?.description ? [`@param body ${body.description}`] : []),
      ...(isList && own.length > 0 ? ['@param query Filters and page size.'] : []),
      '@param options Options of this call: idempotency key, timeouts, abort signal.',
    ].join('\n'),
    '  ',
  )
  return {
    resource,
    name,
    entry: `'${method} ${path}${kinds && ` ${kinds}`}'`,
    declaration: `${comment}  ${name}(${parts.join(', ')}): ${type}`,
    types: [
      ...(body && !body.$ref ? [`export type ${typeName}Body = ${typeOf(body, { indent: '' })}\n\n`] : []),
      ...(own.length > 0 ? [`export type ${typeName}Query = ${queryType(own)}\n\n`] : []),
    ],
  }
}

/** Returns a description without the permission. */
const rulesIn = (description = '') => description.split('\n').filter((line) => line.startsWith('- '))

const queryType = (parameters: OpenApiParameter[]) =>
  membersType(
    parameters.map(({ name, required = false, schema = {} }) => ({
      ...{ name, isRequired: required, type: typeOf(schema, { indent: '  ' }) },
      shape: name === 'limit' ? { ...schema, description: pageSizeOf(schema) } : schema,
    })),
    { indent: '' },
  )

const pageSizeOf = ({ description, maximum, default: usual }: OpenApiSchema) =>
  description ?? `Page size: at most ${maximum}, by default ${usual}.`

export const interfaceOf = (resource: string[]) => `${resource.map(capital).join('')}Resource`
const capital = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`
