import { defaultPageSize } from './lists.ts'
import { refusalResponses } from './openapi-errors.ts'
import { sentExamples } from './openapi-examples.ts'
import {
  isTagged,
  type Json,
  openCommand,
  openOperation,
  operation,
  type Shared,
  statusTag,
  tagOf,
} from './openapi-operations.ts'
import type { ApiRoute, Route } from './route.ts'
import { currentVersion, knownVersions } from './version.ts'

/** What the document says beside the routes. */
export type Beside = {
  /** What the operations are about, by the first word of their addresses. */
  tags: Record<string, string>
  /** What is sent to whoever registers for it, by its name. */
  webhooks: (shared: Shared) => Json
  /** Parameters that those share. */
  parameters: Json
}

/** The OpenAPI 3.1 document of the routes, made from the very shapes that validate. */
export function openApiOf(allRoutes: Route[], baseUrl: string, beside?: Beside): Json {
  const routes = allRoutes.filter((route): route is ApiRoute => route.kind !== 'raw')
  const components = new Map<string, unknown>()
  const shared = { components, sent: sentExamples(allRoutes) }
  const paths: Record<string, Json> = {}
  for (const route of allRoutes)
    if (route.kind === 'raw' && route.result)
      paths[route.url] = route.body
        ? { post: openCommand(route, route.body, route.result, shared) }
        : { get: openOperation(route, route.result, shared) }
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operation(route, shared)
  }
  const webhooks = beside?.webhooks(shared)
  const responses = refusalResponses(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pesewa',
      version: currentVersion,
      summary: 'Payments that add up.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags: [...new Set([statusTag, ...allRoutes.filter(isTagged).map(tagOf)])].map((name) => ({
      name,
      description: beside?.tags[name],
    })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'psw_test_… or psw_live_…' } },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: { ...headerParameters, ...beside?.parameters },
      responses,
    },
  }
}

const introduction = `A payments service: money in by checkout page and payment code, money out, refunds and transfers, on a double-entry ledger.

**Calls.** Every call carries \`Authorization: Bearer <token>\`, and names its Space in \`Service-Space-Id\`, unless it says that it needs none. The token decides the environment: what is done with a test token moves no money. Bodies are JSON of at most 256 KiB; a field that is not known is refused, and \`null\` in an optional field means that it is left out. In a PATCH only what is sent changes, and \`null\` clears. In an optional id, web address or colour \`""\` means the same as \`null\`.

**Responses.** Every success is an envelope: \`success\`, \`messages\`, \`result\`, and \`pagination\` on lists. Amounts are whole numbers of the currency's smallest unit, times are ISO 8601 in UTC, and ids begin with the kind of object that they name. Later versions of this release may add fields, and values to enumerations.

**Once.** Every POST carries an \`Idempotency-Key\`: a new one for each thing to do, such as a UUID, and the same one each time it is tried again. It is carried out once, and a retry returns what the first call returned.

**Lists** are newest first, ${defaultPageSize} entries a page unless \`limit\` says otherwise. \`pagination.next\` is the \`after\` of the next page, and null at the end. With \`Accept: text/csv\` or \`application/x-ndjson\` a list is exported whole.

**Refusals** have one form, whatever their status: programs decide by \`error.reason\`. What was refused did nothing, and may be sent again with the same key.

**Limits.** A 429 names the limit that was exceeded, and how many seconds to wait, in \`Service-Rate-Limit\` and \`Retry-After\`.

**Versions.** \`Service-Version\` selects the version; without it the current one serves, ${currentVersion}. What would break a client comes in a new release only.`

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
