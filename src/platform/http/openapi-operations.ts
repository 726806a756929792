import type { TSchema } from 'typebox'
import { fieldsOf } from '../fields.ts'
import { must } from '../must.ts'
import { allResources } from '../resources.ts'
import { querySchema } from './lists.ts'
import { openReasons, ownReasons, reasonsOf, refusals } from './openapi-errors.ts'
import { exampleOf, type SentExamples } from './openapi-examples.ts'
import { refer, withOptionalNulls } from './openapi-schemas.ts'
import { type ApiRoute, isInSpace, type RawRoute, type Route } from './route.ts'
import { exampleId, pathName } from './shapes.ts'

export type Json = Record<string, unknown>

/** What operations have in common: shapes by their titles, and what was sent. */
export type Shared = { components: Map<string, unknown>; sent: SentExamples }

/** What is said of one route. */
export function operation(route: ApiRoute, shared: Shared): Json {
  const parameters: unknown[] = [...route.url.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    parameter(name, 'path', true, paramOf(route, name), shared),
  )
  if (isInSpace(route)) parameters.push({ $ref: '#/components/parameters/SpaceId' })
  if (route.kind === 'command') parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (route.kind === 'stream') parameters.push({ $ref: '#/components/parameters/LastEventId' })
  parameters.push({ $ref: '#/components/parameters/Version' })
  const query: { properties?: Record<string, TSchema>; required?: string[] } = querySchema(route)
  for (const [name, schema] of Object.entries(query.properties ?? {}))
    parameters.push(parameter(name, 'query', query.required?.includes(name) ?? false, schema, shared))
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: descriptionOf(route),
    tags: [tagOf(route)],
    ...reasons(route),
    parameters,
    ...(route.body && { requestBody: requestBody(route, route.body, shared) }),
    responses: { '200': successResponse(route, shared), ...refusals(reasonsOf(route)) },
  }
}

/** What a path names: the object of the route, or what the route says of it. */
function paramOf({ url, idKind, params = {} }: ApiRoute, name: string): TSchema {
  const own = params[name]
  if (own) return own
  const kind = must(idKind, `what :${name} of ${url} names`)
  const { type } = must(
    allResources().find(({ ids }) => ids === kind),
    'kind of object in a path',
  )
  return pathName(`The id of the ${type.replaceAll('_', ' ')}.`, exampleId(kind))
}

/** A parameter, which says itself what it is and how it looks; its schema says the rest. */
function parameter(
  name: string,
  place: string,
  required: boolean,
  shape: TSchema,
  { components, sent }: Shared,
): Json {
  const { description, examples, ...schema }: TSchema & { description?: string; examples?: unknown[] } = shape
  const example = examples ? examples[0] : exampleOf(schema, sent)
  // A cursor comes from the page before, and no other would do.
  const isCursor = name === 'after'
  return {
    name,
    in: place,
    required,
    description,
    ...(!isCursor && { example }),
    schema: refer(schema, components),
  }
}

const reasons = (route: ApiRoute | RawRoute): Json => {
  const own = ownReasons(route)
  return own.length > 0 ? { 'x-reasons': own } : {}
}

export const statusTag = 'status'

/** Of who is not signed in yet. */
export const openCommand = (
  route: RawRoute,
  body: TSchema,
  result: TSchema,
  { components, sent }: Shared,
): Json => ({
  operationId: operationId({ method: 'POST', url: route.url }),
  summary: route.summary,
  description: 'Takes no token: only a page of this service may send it.',
  tags: [tagOf(route)],
  ...reasons(route),
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: refer(withOptionalNulls(body, 'POST'), components),
        example: route.example ?? exampleOf(body, sent),
      },
    },
  },
  responses: {
    '200': {
      description: 'Done.',
      content: {
        'application/json': {
          schema: enveloped(refer(result, components)),
          example: { success: true, messages: [], result: exampleOf(result, sent) },
        },
      },
    },
    ...refusals(openReasons(route)),
  },
})

/** Of an address that takes no token, or any, and responds without an envelope. */
export const openOperation = (route: RawRoute, result: TSchema, { components, sent }: Shared): Json => ({
  operationId: 'getStatus',
  summary: route.summary,
  description:
    'Refuses nobody for a token: without one, or with one that is not valid, `isAuthenticated` is false.',
  tags: [statusTag],
  ...reasons(route),
  parameters: [{ $ref: '#/components/parameters/Version' }],
  security: [{}, { token: [] }],
  responses: {
    '200': {
      description: 'Done, without an envelope.',
      content: {
        'application/json': { schema: refer(result, components), example: exampleOf(result, sent) },
      },
    },
    ...refusals(ownReasons(route)),
  },
})

/** Who may, and what a body must be that its schema cannot say. */
function descriptionOf(route: ApiRoute): string {
  const who = route.permission ? needs(route) : 'Needs any valid token, and no Space.'
  const rules = (route.rules ?? []).map(({ says }) => `- ${says}`)
  return rules.length > 0 ? `${who}\n\n${rules.join('\n')}` : who
}

/** What a caller's rights must be, as a sentence. */
export const needs = ({ permission, maskedFor, proposedWith }: ApiRoute) =>
  maskedFor
    ? `Needs \`${permission}\`; with \`${maskedFor}\` alone, names are masked.`
    : proposedWith
      ? `Needs \`${permission}\`; with \`${proposedWith}\` alone, another member has to approve it.`
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

const requestBody = ({ method, example }: ApiRoute, body: TSchema, { components }: Shared) => ({
  required: true,
  content: {
    'application/json': {
      schema: refer(withOptionalNulls(body, method), components),
      ...(example && { example }),
    },
  },
})

function successResponse(route: ApiRoute, { components, sent }: Shared): Json {
  const entry = refer(route.result, components)
  const shown = exampleOf(route.result, sent, route.shows)
  if (route.kind === 'stream')
    return {
      description: 'Server-sent events; the data of each is:',
      content: { 'text/event-stream': { schema: entry } },
    }
  const list = route.kind === 'list'
  const schema = enveloped(list ? { type: 'array', description: theResult, items: entry } : entry, {
    ...(list && { pagination }),
  })
  const example = {
    success: true,
    messages: [],
    result: list ? [shown] : shown,
    ...(list && { pagination: { count: 1, next: null } }),
  }
  return {
    description: 'Done.',
    content: { 'application/json': { schema, example }, ...(list && exported), ...filesOf(route) },
  }
}

const theResult = 'What was requested, the newest first where nothing else is said.'

const pagination = {
  type: 'object',
  description: 'Where the page stands in the list.',
  required: ['count', 'next'],
  properties: {
    count: {
      type: 'integer',
      description: 'Entries of this page; it may be less than `limit` before the end.',
    },
    next: { type: ['string', 'null'], description: 'The `after` of the next page; null at the end.' },
  },
}

function enveloped(result: unknown, more: Json = {}): Json {
  const properties = {
    success: { type: 'boolean', const: true, description: 'That it was done.' },
    messages: { type: 'array', items: { type: 'string' }, description: 'Remarks for people; usually none.' },
    result: { description: 'What came of it.', ...fieldsOf(result) },
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
