import type { FastifyReply, FastifyRequest } from 'fastify'
import { readId, requestIds } from '../../ids.ts'
import { outsideSpaces } from '../../jobs/queue.ts'
import type { Scope } from '../../scope.ts'
import type { Caller } from './gate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body is secret and must not be recorded. */
    isBodySecret?: boolean
    /** Returns a body with its personal data masked. */
    maskBody?(body: unknown): unknown
  }
  interface FastifyRequest {
    /** The reason for the refusal, if the request was refused. */
    refusalReason?: string
  }
}

/** A request in a Space and its outcome, as recorded in the request log. */
export type ApiExchange = {
  id: string
  scope: Scope
  caller: Caller
  method: string
  /** URL pattern of the route, such as `/v1/payments/:id`. */
  route: string
  /** The requested path, without its query. */
  path: string
  status: number
  reason: string | null
  /** The body with personal fields masked; `undefined` if there was none or it was secret. */
  body: unknown
  durationMs: number
  /**
   * Time of arrival according to the machine's clock. The request id contains the same time, so lists are
   * filtered by time by comparing ids.
   */
  at: Date
}

/**
 * Returns the record of a request, or `undefined` if the request belongs to no Space or was refused before
 * access to its Space was checked.
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
