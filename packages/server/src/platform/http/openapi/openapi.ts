import { currentVersion, knownVersions } from '../admission/version.ts'
import type { ApiRoute, Route } from '../commands/route.ts'
import { defaultPageSize } from '../lists/lists.ts'
import { xlsxType } from '../lists/workbook.ts'
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

export type TagGroup = { name: string; tags: string[] }

/** Parts of the document that are not derived from routes. */
export type ExtraDocumentation = {
  /** Descriptions of the tags, by the first segment of the routes' paths. */
  tags: Record<string, string>
  /** The tags in the order of the reference, in groups. Each tag belongs to one group. */
  tagGroups: TagGroup[]
  /** Webhook events, by name. */
  webhooks: (shared: Shared) => Json
  /** Parameters used by the webhooks. */
  parameters: Json
}

/** Builds the OpenAPI 3.1 document from the same shapes that validate requests. */
export function openApiOf(allRoutes: Route[], baseUrl: string, beside?: ExtraDocumentation): Json {
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
  const tagGroups = beside && groupsOf(allRoutes, beside.tagGroups)
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
    tags: (tagGroups?.flatMap(({ tags }) => tags) ?? tagsOf(allRoutes)).map((name) => ({
      name,
      description: beside?.tags[name],
    })),
    // Postman, Scalar and Redoc show the groups, too.
    ...(tagGroups && { 'x-tagGroups': tagGroups }),
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

const tagsOf = (routes: Route[]) => [...new Set([statusTag, ...routes.filter(isTagged).map(tagOf)])]

/** Returns the groups with the tags of these routes. Throws if a tag belongs to no group. */
function groupsOf(routes: Route[], groups: TagGroup[]): TagGroup[] {
  const used = tagsOf(routes)
  const listed = groups.flatMap(({ tags }) => tags)
  const lost = used.filter((tag) => !listed.includes(tag))
  if (lost.length > 0) throw new Error(`add ${lost.join(', ')} to a group of tags in reference.ts`)
  return groups
    .map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.includes(tag)) }))
    .filter(({ tags }) => tags.length > 0)
}

const introduction = `A payments service: accept payments through checkout pages and payment codes, pay out, refund and transfer, all on a double-entry ledger.

### Requests

Send \`Authorization: Bearer <token>\` with every call, and the Space in \`Service-Space-Id\` unless the operation needs none. The token determines the environment: test tokens never move real money. Bodies are JSON of at most 256 KiB. Unknown fields are refused, and \`null\` in an optional field is the same as leaving it out. PATCH changes only the fields that you send, and \`null\` clears a field. In an optional id, URL or colour, \`""\` is the same as \`null\`.

### Responses

Successful responses have an envelope with \`success\`, \`messages\` and \`result\`, and \`pagination\` on lists. Amounts are integers in the currency's minor unit, times are ISO 8601 in UTC, and ids start with a prefix for their type of object. New fields and enum values may be added within a release.

### Idempotency keys

Every POST requires an \`Idempotency-Key\`. Use a new key, such as a UUID, for each operation, and the same key for every retry. The operation runs once, and retries return the first response.

### Lists and pagination

Lists are newest first, with ${defaultPageSize} entries per page unless \`limit\` is set. Pass \`pagination.next\` as \`after\` to get the next page; it is null on the last page. Send \`Accept: text/csv\`, \`application/x-ndjson\` or \`${xlsxType}\` to export a whole list.

### Errors

All refusals have the same form; programs should use \`error.reason\`. A refused request changes nothing and can be retried with the same key.

### Too many requests

A 429 names the exceeded rate limit in \`Service-Rate-Limit\` and the seconds to wait in \`Retry-After\`.

### Versions

\`Service-Version\` selects the API version and defaults to ${currentVersion}. Breaking changes are made only in a new release.`

const header = (name: string, required: boolean, description: string, schema: Json) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...schema },
})

const headerParameters = {
  SpaceId: header('Service-Space-Id', true, 'The Space that the call applies to.', {
    maxLength: 64,
    examples: ['spc-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  }),
  // There is no example of a key, because a client that sent the example with two different bodies would be
  // refused with `idempotency_key_in_use`.
  IdempotencyKey: header(
    'Idempotency-Key',
    true,
    'Identifies the request across retries. Use a new value, such as a UUID, for each operation.',
    { minLength: 1, maxLength: 64, pattern: '^[\\x20-\\x7e]+$' },
  ),
  LastEventId: header('Last-Event-ID', false, 'Id of the last event received. The stream resumes after it.', {
    maxLength: 64,
    examples: ['evt-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  }),
  Version: header('Service-Version', false, 'API version. Defaults to the current one.', {
    enum: knownVersions,
    default: currentVersion,
  }),
}
