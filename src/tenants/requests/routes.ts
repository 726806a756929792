import Type from 'typebox'
import { list, type Route, read } from '../../platform/http/commands/route.ts'
import {
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { readAnyId, readId, requestIds, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { sessionIds, tokenIds } from '../spaces/resources.ts'
import { type LoggedRequest, selectRequest, selectRequests } from './store.ts'

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const
const statusClasses = { '2xx': 2, '4xx': 4, '5xx': 5 } as const

const listed = {
  id: ownId(requestIds),
  timestamp: withDescription(timestamp, 'Time when the request arrived.'),
  method: withDescription(Type.String({ examples: ['POST'] }), 'HTTP method.'),
  route: withDescription(
    Type.String({ examples: ['/v1/payments/:id'] }),
    'Route as in the API reference, without ids.',
  ),
  path: Type.String({
    description: 'Path without the query. Personal numbers are masked.',
    examples: ['/v1/payments/pay-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  }),
  status: withDescription(Type.Integer({ examples: [422] }), 'HTTP status of the response.'),
  reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Reason for the error; null if the request succeeded.',
  }),
  caller: withDescription(
    object({
      type: withMeanings(Type.Enum(['token', 'session']), 'Type of credential.', {
        token: 'an access token',
        session: 'a console session',
      }),
      id: Type.String({
        description: 'Id of the access token or console session.',
        examples: ['tok-01kaj3v5w8e4r9tbn2m6c7d0xz'],
      }),
    }),
    'Credential used for the request.',
  ),
  durationMs: Type.Integer({ minimum: 0, description: 'Duration of the request in milliseconds.' }),
}

const listedRequest = object(listed, { title: 'ListedRequest' })
const request = object(
  {
    ...listed,
    body: Type.Unsafe<string | null>({
      ...nullableText,
      description:
        'Request body as JSON, up to 4,096 characters, with secrets, phone numbers and codes masked as `***`. Null if there was no body, or if the body of such a request is never logged.',
    }),
    isBodyCut: Type.Boolean({ description: 'True if the body was longer than the part that was kept.' }),
  },
  { title: 'LoggedRequest', description: 'A request from the last seven days.' },
)

const filters = object({
  statusClass: optional(
    Type.Enum(['2xx', '4xx', '5xx'], { description: 'Class of the HTTP status. `4xx`: refused requests.' }),
  ),
  method: withDescription(optional(Type.Enum([...methods])), 'Only requests with this HTTP method.'),
  pathPrefix: optional(
    Type.String({
      maxLength: 200, // characters of a path prefix to filter by
      description: 'Only requests whose path starts with this text.',
      examples: ['/v1/payments'],
    }),
  ),
  requestId: withDescription(
    optional(referenceTo(requestIds)),
    'Only the request with this id, as given in error responses.',
  ),
  tokenId: optional({
    ...referenceTo(tokenIds),
    description: 'Only requests made with this access token or console session.',
  }),
})

export const requestRoutes = ({ db }: Platform): Route[] => [
  list({
    url: '/v1/requests',
    summary: 'List API requests of the last seven days',
    permission: 'requests:read',
    query: filters,
    result: listedRequest,
    list: async ({ scope, query }, page) => {
      const { statusClass, method, pathPrefix, requestId, tokenId } = query
      const id = requestId === undefined ? undefined : readId(requestIds, requestId)
      const callerId = tokenId === undefined ? undefined : readAnyId([tokenIds, sessionIds], tokenId)
      const isOfNone = (requestId && !id) || (tokenId && !callerId)
      if (isOfNone) return []
      return selectRequests(
        db,
        scope,
        { statusClass: statusClass && statusClasses[statusClass], method, pathPrefix, id, callerId },
        page,
      )
    },
    present: presentListed,
    position: ({ id }) => id,
  }),
  read({
    url: '/v1/requests/:id',
    summary: 'Retrieve an API request',
    permission: 'requests:read',
    idKind: requestIds,
    result: request,
    read: async ({ scope, id }) => {
      const row = await selectRequest(db, scope, id)
      return row && { ...presentListed(row), body: row.body, isBodyCut: row.isBodyCut }
    },
  }),
]

const presentListed = (row: LoggedRequest) => ({
  id: showId(requestIds, row.id),
  timestamp: row.at.toISOString(),
  method: row.method,
  route: row.route,
  path: row.path,
  status: row.status,
  reason: row.reason,
  caller: row.isSession
    ? { type: 'session' as const, id: showId(sessionIds, row.callerId) }
    : { type: 'token' as const, id: showId(tokenIds, row.callerId) },
  durationMs: row.durationMs,
})
