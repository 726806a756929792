import type { FastifyReply, FastifyRequest } from 'fastify'
import { readId, requestIds } from '../ids.ts'
import { outsideSpaces } from '../jobs/queue.ts'
import type { Scope } from '../scope.ts'
import type { Caller } from './gate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body must never be shown again. */
    isBodySecret?: boolean
    /** Masks the personal data in a body. */
    maskBody?(body: unknown): unknown
  }
  interface FastifyRequest {
    /** The reason, if the request was refused. */
    refusalReason?: string
  }
}

/** A request in a Space and its outcome, as recorded in the request log. */
export type ApiExchange = {
  id: string
  scope: Scope
  caller: Caller
  method: string
  /** `/v1/payments/:id` */
  route: string
  /** The requested path, without its query. */
  path: string
  status: number
  reason: string | null
  /** Personal fields are masked; `undefined` when there was no body, or the body was secret. */
  body: unknown
  durationMs: number
  /** Arrival time by the machine's clock, which is also the time in the id that lists filter by. */
  at: Date
}

/**
 * Returns `undefined` when the request belongs to no Space, or was refused before access to its Space was
 * checked.
 */
export function exchangeOf(request: FastifyRequest, reply: FastifyReply): ApiExchange | undefined {
  const { access, caller, routeOptions } = request
  const id = readId(requestIds, request.id)
  if (!access || !caller || !id || access.scope.spaceId === outsideSpaces.spaceId) return undefined
  const [path = ''] = request.url.split('?', 1)
  const { isBodySecret, maskBody = (body) => body } = routeOptions.config
  return {
    id,
    scope: access.scope,
    caller,
    method: request.method,
    route: routeOptions.url ?? path,
    path,
    status: reply.statusCode,
    reason: request.refusalReason ?? null,
    body: isBodySecret ? undefined : maskBody(request.body),
    durationMs: Math.round(reply.elapsedTime),
    at: new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)),
  }
}
