import type { TSchema } from 'typebox'
import { must } from '../must.ts'
import { refusalCatalogue } from '../refusals.ts'
import { querySchema } from './lists.ts'
import { refer, withOptionalNulls } from './openapi-schemas.ts'
import { type ApiRoute, isInSpace, type RawRoute, type Route } from './route.ts'
import { object } from './shapes.ts'
import { currentVersion, knownVersions } from './version.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the routes, made from the very shapes that validate. */
export function openApiOf(allRoutes: Route[], baseUrl: string): Json {
  const routes = allRoutes.filter((route): route is ApiRoute => route.kind !== 'raw')
  const components = new Map<string, unknown>()
  const paths: Record<string, Json> = {}
  for (const route of allRoutes)
    if (route.kind === 'raw' && route.result)
      paths[route.url] = { get: openOperation(route, route.result, components) }
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operation(route, components)
  }
  const errorSchema = refer(errorEnvelope, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pesewa',
      version: currentVersion,
      summary: 'Payments that add up.',
      description:
        'Every success is an envelope: `success`, `messages`, `result`, and `pagination` on lists.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags: [...new Set([statusTag, ...routes.map(tagOf)])].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'psw_test_… or psw_live_…' } },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: headerParameters,
      responses: errorResponses(errorSchema),
    },
  }
}

const header = (name: string, required: boolean, description: string, schema: Json) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...schema },
})

const headerParameters = {
  SpaceId: header('Service-Space-Id', true, 'The Space that the call targets.', {
    maxLength: 64,
    examples: ['spc-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  }),
  // Without an example: whoever tries one twice, with another body, would learn that the key is in use.
  IdempotencyKey: header(
    'Idempotency-Key',
    true,
    'Names one request, however often it is sent: a new one for each, such as a UUID.',
    { minLength: 1, maxLength: 64, pattern: '^[\\x20-\\x7e]+$' },
  ),
  LastEventId: header('Last-Event-ID', false, 'The last event that was seen: the stream goes on after it.', {
    maxLength: 64,
    examples: ['evt-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  }),
  Version: header('Service-Version', false, 'The version to be served by; left out: the current one.', {
    enum: knownVersions,
    default: currentVersion,
  }),
}

/** A shape that is documented and never checks anything. */
const plain = (schema: Json): TSchema => schema

const errorEnvelope = object(
  {
    success: plain({ type: 'boolean', const: false }),
    messages: plain({ type: 'array', items: { type: 'string' } }),
    error: plain({
      type: 'object',
      required: ['code', 'reason', 'message', 'details'],
      properties: {
        code: { type: 'integer' },
        reason: { type: 'string', enum: Object.keys(refusalCatalogue) },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['param', 'errors'],
            properties: { param: { type: 'string' }, errors: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    }),
  },
  { title: 'Error' },
)

/** One response per status, with the reasons that it can have. */
function errorResponses(schema: unknown): Json {
  const byStatus = Map.groupBy(Object.entries(refusalCatalogue), ([, [status]]) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, reasons]) => [
      `Error${status}`,
      {
        description: reasons.map(([reason]) => reason).join(', '),
        content: { 'application/json': { schema } },
      },
    ]),
  )
}

function operation(route: ApiRoute, components: Map<string, unknown>): Json {
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

const statusTag = 'status'

/** Of an address that takes no token, or any, and responds without an envelope. */
const openOperation = ({ summary }: RawRoute, result: TSchema, components: Map<string, unknown>): Json => ({
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

const tagOf = ({ url }: ApiRoute) => must(url.split('/')[2], 'resource in a path')

/** `POST /v1/payouts/:id/approve` → `postPayoutsByIdApprove`. */
const operationId = ({ method, url }: ApiRoute) =>
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
  const properties = {
    success: { type: 'boolean', const: true },
    messages: { type: 'array', items: { type: 'string' } },
    result: list ? { type: 'array', items: entry } : entry,
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
  }
  const schema = { type: 'object', required: Object.keys(properties), properties }
  return {
    description: 'Done.',
    content: { 'application/json': { schema }, ...(list && exported), ...filesOf(route) },
  }
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
  return Object.fromEntries(
    statuses.sort().map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  )
}
