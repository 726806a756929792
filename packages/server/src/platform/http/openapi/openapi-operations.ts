import { fieldsOf, must } from '@pesewa/values'
import type { TSchema } from 'typebox'
import { allResources } from '../../resources.ts'
import { type ApiRoute, isInSpace, type RawRoute, type Route } from '../commands/route.ts'
import { tableTypes } from '../lists/exports.ts'
import { querySchema } from '../lists/lists.ts'
import { xlsxType } from '../lists/workbook.ts'
import { exampleId, pathName } from '../shapes/shapes.ts'
import { openReasons, ownReasons, reasonsOf, refusals } from './openapi-errors.ts'
import { exampleOf, type RequestExamples } from './openapi-examples.ts'
import { refer, withOptionalNulls } from './openapi-schemas.ts'

export type Json = Record<string, unknown>

/** Data shared by all operations: the schemas by title, and the request examples. */
export type Shared = { components: Map<string, unknown>; sent: RequestExamples }

/** Returns the OpenAPI operation of a route. */
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
    ...(route.body && { requestBody: requestBody(route.method, route.example, route.body, shared) }),
    responses: { '200': successResponse(route, shared), ...refusals(reasonsOf(route)) },
  }
}

/** Describes a path parameter, either with the route's own description or as the id of its object. */
function paramOf({ url, idKind, params = {} }: ApiRoute, name: string): TSchema {
  const own = params[name]
  if (own) return own
  const kind = must(idKind, `description of :${name} in ${url}`)
  const { type } = must(
    allResources().find(({ ids }) => ids === kind),
    'resource of a path parameter',
  )
  return pathName(`Id of the ${type.replaceAll('_', ' ')}.`, exampleId(kind))
}

/**
 * Returns the OpenAPI description of a parameter. The description and example belong to the parameter itself,
 * and everything else to its schema.
 */
function parameter(
  name: string,
  place: string,
  required: boolean,
  shape: TSchema,
  { components, sent }: Shared,
): Json {
  const { description, examples, ...schema }: TSchema & { description?: string; examples?: unknown[] } = shape
  const example = examples ? examples[0] : exampleOf(schema, sent)
  // Cursors have no example, because a made-up cursor would be refused.
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

/** Returns the OpenAPI operation of a POST for callers who have not signed in yet. */
export const openCommand = (route: RawRoute, body: TSchema, result: TSchema, shared: Shared): Json => ({
  operationId: operationId({ method: 'POST', url: route.url }),
  summary: route.summary,
  description: paragraphs(route.about, 'Requires no token. Only pages of this service can call it.'),
  tags: [tagOf(route)],
  ...reasons(route),
  security: [],
  requestBody: requestBody('POST', route.example ?? exampleOf(body, shared.sent), body, shared),
  responses: {
    '200': {
      description: 'Done.',
      content: {
        'application/json': {
          schema: enveloped(refer(result, shared.components)),
          example: { success: true, messages: [], result: exampleOf(result, shared.sent) },
        },
      },
    },
    ...refusals(openReasons(route)),
  },
})

/** Returns the OpenAPI operation of an endpoint that needs no token and responds without an envelope. */
export const openOperation = (route: RawRoute, result: TSchema, { components, sent }: Shared): Json => ({
  operationId: 'getStatus',
  summary: route.summary,
  description: paragraphs(
    route.about,
    'The token is optional. Without a valid one, `isAuthenticated` is false.',
  ),
  tags: [statusTag],
  ...reasons(route),
  parameters: [{ $ref: '#/components/parameters/Version' }],
  security: [{}, { token: [] }],
  responses: {
    '200': {
      description: 'Success, without an envelope.',
      content: {
        'application/json': { schema: refer(result, components), example: exampleOf(result, sent) },
      },
    },
    ...refusals(ownReasons(route)),
  },
})

/**
 * Describes what the call does and the required permission, followed by the rules for the body that its schema
 * cannot express.
 */
function descriptionOf(route: ApiRoute): string {
  const who = route.permission ? needs(route) : 'Requires any valid token; no Space is needed.'
  const rules = (route.rules ?? []).map(({ says }) => `- ${says}`)
  return paragraphs(route.about, who, rules.join('\n'))
}

const paragraphs = (...texts: (string | undefined)[]) => texts.filter(Boolean).join('\n\n')

/** Describes the required permission in one sentence. */
export const needs = ({ permission, maskedFor, proposedWith }: ApiRoute) =>
  maskedFor
    ? `Requires \`${permission}\`. With only \`${maskedFor}\`, names are masked.`
    : proposedWith
      ? `Requires \`${permission}\`. With only \`${proposedWith}\`, another member must approve the request.`
      : permission?.startsWith('installation:')
        ? `For operators of the installation. Requires \`${permission}\`; no Space is needed.`
        : `Requires \`${permission}\`.`

export const isTagged = (route: Route) => route.kind !== 'raw' || route.body !== undefined
export const tagOf = ({ url }: Pick<ApiRoute, 'url'>) => must(url.split('/')[2], 'resource in a path')

/** Returns the id of an operation: `POST /v1/payouts/:id/approve` becomes `postPayoutsByIdApprove`. */
const operationId = ({ method, url }: Pick<ApiRoute, 'method' | 'url'>) =>
  method.toLowerCase() +
  url
    .split('/')
    .slice(2)
    .map((part) => (part.startsWith(':') ? `By-${part.slice(1)}` : part))
    .join('-')
    .replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())

const requestBody = (method: string, example: unknown, body: TSchema, { components }: Shared) => ({
  required: true,
  content: {
    'application/json': {
      schema: refer(withOptionalNulls(body, method), components),
      ...(example !== undefined && { example }),
    },
  },
})

function successResponse(route: ApiRoute, { components, sent }: Shared): Json {
  const entry = refer(route.result, components)
  const shown = exampleOf(route.result, sent, route.shows)
  if (route.kind === 'stream')
    return {
      description: 'Server-sent events, each with this data:',
      content: { 'text/event-stream': { schema: entry, example: shown } },
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

const theResult = 'The requested entries, newest first unless noted otherwise.'

const pagination = {
  type: 'object',
  description: 'Position of this page in the list.',
  required: ['count', 'next'],
  properties: {
    count: {
      type: 'integer',
      description: 'Number of entries on this page; may be less than `limit` even before the last page.',
    },
    next: {
      type: ['string', 'null'],
      description: 'Value of `after` for the next page; null on the last page.',
    },
  },
}

function enveloped(result: unknown, more: Json = {}): Json {
  const properties = {
    success: { type: 'boolean', const: true, description: 'Always true.' },
    messages: {
      type: 'array',
      items: { type: 'string' },
      description: 'Human-readable notes; usually empty.',
    },
    result: { description: 'Result of the call.', ...fieldsOf(result) },
    ...more,
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

/** The responses of a list in other media types. They contain all matching entries. */
const exported = {
  'text/csv': { schema: { type: 'string', description: 'A header line, then one line per entry.' } },
  'application/x-ndjson': { schema: { type: 'string', description: 'One JSON entry per line.' } },
  [xlsxType]: {
    schema: { type: 'string', format: 'binary', description: 'A spreadsheet with the columns of the CSV.' },
  },
}

const filesOf = (route: ApiRoute) =>
  route.kind === 'read'
    ? Object.fromEntries(
        [...(route.table ? tableTypes : []), ...Object.keys(route.files ?? {})].map((type) => [
          type,
          { schema: { type: 'string' } },
        ]),
      )
    : {}
