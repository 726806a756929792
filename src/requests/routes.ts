import Type from 'typebox'
import { list, type Route, read } from '../platform/http/route.ts'
import {
  described,
  explained,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  timestamp,
} from '../platform/http/shapes.ts'
import { readAnyId, readId, requestIds, showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { sessionIds, tokenIds } from '../spaces/resources.ts'
import { type LoggedRequest, selectRequest, selectRequests } from './store.ts'

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const
const statusClasses = { '2xx': 2, '4xx': 4, '5xx': 5 } as const

const listed = {
  id: ownId(requestIds),
  timestamp: described(timestamp, 'When it came in.'),
  method: described(Type.String({ examples: ['POST'] }), 'The HTTP method.'),
  route: described(
    Type.String({ examples: ['/v1/payments/:id'] }),
    'The address as the reference writes it, without ids.',
  ),
  path: Type.String({
    description: 'Without its query. Numbers of people are masked.',
    examples: ['/v1/payments/pay-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  }),
  status: described(Type.Integer({ examples: [422] }), 'The HTTP status of the response.'),
  reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why it was refused; null where it was not.',
  }),
  caller: described(
    object({
      type: explained(Type.Enum(['token', 'session']), 'What they called with.', {
        token: 'an access token',
        session: 'a session at the console',
      }),
      id: Type.String({
        description: 'Of the access token, or of the session at the console.',
        examples: ['tok-01kaj3v5w8e4r9tbn2m6c7d0xz'],
      }),
    }),
    'Who asked.',
  ),
  durationMs: Type.Integer({ minimum: 0, description: 'Milliseconds from the request to its response.' }),
}

const listedRequest = object(listed, { title: 'ListedRequest' })
const request = object(
  {
    ...listed,
    body: Type.Unsafe<string | null>({
      ...nullableText,
      description:
        'Its body as JSON, up to 4 096 characters. What is secret in it is `***`, phone numbers and codes included. Null: it had none, or one that is never kept.',
    }),
    isBodyCut: Type.Boolean({ description: 'Whether the body goes on beyond what was kept.' }),
  },
  { title: 'LoggedRequest', description: 'A request of the last seven days.' },
)

const filters = object({
  statusClass: optional(Type.Enum(['2xx', '4xx', '5xx'], { description: '`4xx`: those that were refused.' })),
  method: described(optional(Type.Enum([...methods])), 'Only this HTTP method.'),
  pathPrefix: optional(
    Type.String({
      maxLength: 200, // limit: the beginning of a path that is looked for
      description: 'What its path begins with.',
      examples: ['/v1/payments'],
    }),
  ),
  requestId: described(
    optional(referenceTo(requestIds)),
    'Only the request with this id, as a response’s error names it.',
  ),
  tokenId: optional({ ...referenceTo(tokenIds), description: 'The token, or the session, that called.' }),
})

export const requestRoutes = ({ db }: Platform): Route[] => [
  list({
    url: '/v1/requests',
    summary: 'List requests of the API of the last seven days',
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
    summary: 'Retrieve a request of the API by its request id',
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
