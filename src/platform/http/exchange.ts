import type { FastifyReply, FastifyRequest } from 'fastify'
import { readId, requestIds } from '../ids.ts'
import { ofNoSpace } from '../jobs/queue.ts'
import type { Scope } from '../scope.ts'
import type { Caller } from './gate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body that is shown to nobody again. */
    isBodySecret?: boolean
    /** A body without what says who somebody is. */
    maskBody?(body: unknown): unknown
  }
  interface FastifyRequest {
    /** Why it was refused, if it was. */
    refusalReason?: string
  }
}

/** A request of a Space with its outcome, as whoever keeps them is handed it. */
export type ApiExchange = {
  id: string
  scope: Scope
  caller: Caller
  method: string
  /** `/v1/payments/:id` */
  route: string
  /** The path that was requested, without its query. */
  path: string
  status: number
  reason: string | null
  /** Masked as far as its shape says what is personal; `undefined`: it had none, or one that is shown to nobody. */
  body: unknown
  durationMs: number
  /** When it came, by the machine's clock: the moment that its id begins with, by which lists find it. */
  at: Date
}

/** `undefined`: it is of no Space, or was refused before its Space was known to be the caller's. */
export function exchangeOf(request: FastifyRequest, reply: FastifyReply): ApiExchange | undefined {
  const { access, caller, routeOptions } = request
  const id = readId(requestIds, request.id)
  if (!access || !caller || !id || access.scope.spaceId === ofNoSpace.spaceId) return undefined
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
