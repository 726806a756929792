import { list, type Route, read } from '../../platform/http/commands/route.ts'
import { readAnyId, readId, requestIds, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { sessionIds, tokenIds } from '../spaces/resources.ts'
import { filters, listedRequest, request, statusClasses } from './shapes.ts'
import { type LoggedRequest, selectRequest, selectRequests } from './store.ts'

export const requestRoutes = ({ db }: Platform): Route[] => [
  list({
    url: '/v1/requests',
    summary: 'List API requests',
    about: 'From the last seven days.',
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
