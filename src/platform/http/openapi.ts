import type { TSchema } from 'typebox'
import { refusalCatalogue } from '../refusals.ts'
import {
  isTagged,
  type Json,
  openCommand,
  openOperation,
  operation,
  statusTag,
  tagOf,
} from './openapi-operations.ts'
import { refer } from './openapi-schemas.ts'
import type { ApiRoute, Route } from './route.ts'
import { object } from './shapes.ts'
import { currentVersion, knownVersions } from './version.ts'

/** The OpenAPI 3.1 document of the routes, made from the very shapes that validate. */
export function openApiOf(allRoutes: Route[], baseUrl: string): Json {
  const routes = allRoutes.filter((route): route is ApiRoute => route.kind !== 'raw')
  const components = new Map<string, unknown>()
  const paths: Record<string, Json> = {}
  for (const route of allRoutes)
    if (route.kind === 'raw' && route.result)
      paths[route.url] = route.body
        ? { post: openCommand(route, route.body, route.result, components) }
        : { get: openOperation(route, route.result, components) }
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
    tags: [...new Set([statusTag, ...allRoutes.filter(isTagged).map(tagOf)])].map((name) => ({ name })),
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
