import type { TSchema } from 'typebox'
import { must } from '../must.ts'
import { querySchema } from './lists.ts'
import { refer, withOptionalNulls } from './openapi-schemas.ts'
import { type ApiRoute, isInSpace, type RawRoute, type Route } from './route.ts'

export type Json = Record<string, unknown>

/** What is said of one route. */
export function operation(route: ApiRoute, components: Map<string, unknown>): Json {
  const parameters: unknown[] = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 200 },
  }))
  if (isInSpace(route)) parameters.push({ $ref: '#/components/parameters/SpaceId' })
  if (route.kind === 'command') parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (route.kind === 'stream') parameters.push({ $ref: '#/components/parameters/LastEventId' })
  parameters.push({ $ref: '#/components/parameters/Version' })
  const query: { properties?: Record<string, TSchema>; required?: string[] } = querySchema(route)
  for (const [name, schema] of Object.entries(query.properties ?? {}))
    parameters.push({ name, in: 'query', required: query.required?.includes(name) ?? false, schema })
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: descriptionOf(route),
    tags: [tagOf(route)],
    parameters,
    ...(route.body && { requestBody: requestBody(route, route.body, components) }),
    responses: { '200': successResponse(route, components), ...errorsOf(route) },
  }
}

export const statusTag = 'status'

/** Of who is not signed in yet. */
export const openCommand = (
  { url, summary }: RawRoute,
  body: TSchema,
  result: TSchema,
  components: Map<string, unknown>,
): Json => ({
  operationId: operationId({ method: 'POST', url }),
  summary,
  description: 'Takes no token: only a page of this service may send it.',
  tags: [tagOf({ url })],
  security: [],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: refer(withOptionalNulls(body, 'POST'), components) } },
  },
  responses: {
    '200': {
      description: 'Done.',
      content: { 'application/json': { schema: enveloped(refer(result, components)) } },
    },
    ...errorReferences([400, 401, 403, 413, 415, 429, 500, 503]),
  },
})

/** Of an address that takes no token, or any, and responds without an envelope. */
export const openOperation = (
  { summary }: RawRoute,
  result: TSchema,
  components: Map<string, unknown>,
): Json => ({
  operationId: 'getStatus',
  summary,
  description: 'Never refuses: without a token, or with one that is not valid, `isAuthenticated` is false.',
  tags: [statusTag],
  security: [{}, { token: [] }],
  responses: {
    '200': {
      description: 'Done, without an envelope.',
      content: { 'application/json': { schema: refer(result, components) } },
    },
    '500': { $ref: '#/components/responses/Error500' },
  },
})

/** Who may, and what a body must be that its schema cannot say. */
function descriptionOf(route: ApiRoute): string {
  const who = route.permission ? needs(route) : 'Needs any valid token, and no Space.'
  const rules = (route.rules ?? []).map(({ says }) => `- ${says}`)
  return rules.length > 0 ? `${who}\n\n${rules.join('\n')}` : who
}

/** What a caller's rights must be, as a sentence. */
export const needs = ({ permission, maskedFor }: ApiRoute) =>
  maskedFor
    ? `Needs \`${permission}\`; with \`${maskedFor}\` alone, names are masked.`
    : permission?.startsWith('installation:')
      ? `For operators of the installation: needs \`${permission}\`, and no Space.`
      : `Needs \`${permission}\`.`

export const isTagged = (route: Route) => route.kind !== 'raw' || route.body !== undefined
export const tagOf = ({ url }: Pick<ApiRoute, 'url'>) => must(url.split('/')[2], 'resource in a path')

/** `POST /v1/payouts/:id/approve` → `postPayoutsByIdApprove`. */
const operationId = ({ method, url }: Pick<ApiRoute, 'method' | 'url'>) =>
  method.toLowerCase() +
  url
    .split('/')
    .slice(2)
    .map((part) => (part.startsWith(':') ? `By-${part.slice(1)}` : part))
    .join('-')
    .replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())

const requestBody = ({ method, example }: ApiRoute, body: TSchema, components: Map<string, unknown>) => ({
  required: true,
  content: {
    'application/json': {
      schema: refer(withOptionalNulls(body, method), components),
      ...(example && { example }),
    },
  },
})

function successResponse(route: ApiRoute, components: Map<string, unknown>): Json {
  const entry = refer(route.result, components)
  if (route.kind === 'stream')
    return {
      description: 'Server-sent events; the data of each is:',
      content: { 'text/event-stream': { schema: entry } },
    }
  const list = route.kind === 'list'
  const schema = enveloped(list ? { type: 'array', items: entry } : entry, {
    ...(list && {
      pagination: {
        type: 'object',
        required: ['count', 'next'],
        properties: {
          count: {
            type: 'integer',
            description: 'Entries of this page; it may be less than `limit` before the end.',
          },
          next: { type: ['string', 'null'], description: 'The `after` of the next page; null at the end.' },
        },
      },
    }),
  })
  return {
    description: 'Done.',
    content: { 'application/json': { schema }, ...(list && exported), ...filesOf(route) },
  }
}

function enveloped(result: unknown, more: Json = {}): Json {
  const properties = {
    success: { type: 'boolean', const: true },
    messages: { type: 'array', items: { type: 'string' } },
    result,
    ...more,
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

/** A list by its other media types: all that its filters leave. */
const exported = {
  'text/csv': { schema: { type: 'string', description: 'A header, then a line for each entry.' } },
  'application/x-ndjson': { schema: { type: 'string', description: 'An entry as JSON on each line.' } },
}

const filesOf = (route: ApiRoute) =>
  route.kind === 'read'
    ? Object.fromEntries(Object.keys(route.files ?? {}).map((type) => [type, { schema: { type: 'string' } }]))
    : {}

function errorsOf(route: ApiRoute): Json {
  // A token may be for other addresses of the network than the caller’s, whatever it requests.
  const statuses = [400, 401, 403, 429, 500, 503]
  if (route.url.includes(':')) statuses.push(404)
  if (route.kind === 'command' || route.kind === 'change') statuses.push(409, 413, 415)
  return errorReferences(statuses)
}

const errorReferences = (statuses: number[]): Json =>
  Object.fromEntries(
    statuses.sort().map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  )
