import { fieldsOf, must } from '@pesewa/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readId } from '../../ids.ts'
import { Issues, Refusal } from '../../refusals.ts'
import { admit } from '../admission/admission.ts'
import type { ServerParts } from '../admission/parts.ts'
import { Masker, type ShapeOfType, seesNothing } from '../admission/personal.ts'
import { createCommand } from '../commands/command.ts'
import { envelope, fingerprintOf } from '../commands/idempotency.ts'
import { canonicalJson, exactJson } from '../commands/json.ts'
import type { ApiRoute, Call, CommandRoute, StreamRoute } from '../commands/route.ts'
import type { ExportPace } from '../lists/export-pace.ts'
import { type Exports, exportFormatOf, fileOf, fileOfList } from '../lists/exports.ts'
import { exportQuerySchema, openPages, querySchema } from '../lists/lists.ts'
import type { Streams } from '../lists/streams.ts'
import { Checker } from '../shapes/validation.ts'
import { compressOnTheFly, encodingOf } from './compression.ts'
import { pathParams } from './request.ts'
import { inRequestTrace, joinTraceOfResult } from './request-traces.ts'

/**
 * Adds an API route to the server. For each request, the caller is admitted, the body is read and validated,
 * and then the route's handler runs.
 */
export function addApiRoute(
  server: FastifyInstance,
  parts: ServerParts & { streams: Streams; exports: Exports; pace: ExportPace; shapeOfType: ShapeOfType },
  route: ApiRoute,
): void {
  const queryChecker = new Checker(querySchema(route))
  const bodyChecker = route.body && new Checker(route.body)
  const masker = new Masker(route.result, parts.shapeOfType)
  const bodyMasker = route.body && new Masker(route.body)
  const respond = route.kind === 'stream' ? undefined : responderOf(parts, route)
  const exportChecker = route.kind === 'list' ? new Checker(exportQuerySchema(route)) : undefined

  // Streams read what was committed a moment ago. Reads by id that many callers share use the primary in any case.
  const readsReplicas = route.method === 'GET' && route.kind !== 'stream'

  server.route({
    method: route.method,
    url: route.url,
    ...(route.maxBodyBytes && { bodyLimit: route.maxBodyBytes }),
    config: {
      isBodySecret: 'isBodySecret' in route && route.isBodySecret === true,
      maskBody: (body) => bodyMasker?.maskFor(seesNothing)?.(body) ?? body,
    },
    onRequest: (request) => admit(parts, route, request),
    handler: inRequestTrace(parts.platform.tracing, (request: FastifyRequest, reply: FastifyReply) => {
      const { access } = request
      const { db } = parts.platform
      const work = () =>
        readsReplicas ? db.fromReplicas(() => handle(request, reply)) : handle(request, reply)
      return access ? db.within(access.scope.spaceId, work) : work()
    }),
  })

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const issues = new Issues()
    const format = exportChecker && exportFormatOf(request)
    const query = (format ? exportChecker : queryChecker).checkQuery(fieldsOf(request.query), issues)
    const body = bodyChecker?.checkBody(bodyOf(request), issues, route.method)
    if (issues.list.length > 0) {
      await validateWellFormed(parts, route, request, query, bodyChecker?.wellFormedParts(body), issues)
      throw issues.refusal()
    }
    const call = callOf(parts, route, request, query, body)
    await checkStepUp(parts, route, request, call)
    const hide = request.access && masker.maskFor(request.access)
    const file =
      route.kind === 'read'
        ? fileOf(parts, route, call, request)
        : format && route.kind === 'list' && (() => fileOfList(parts, route, format, call, hide))
    if (file) return parts.exports.respond(route, file, call, request, reply)
    if (route.kind === 'stream') return parts.streams.respond(route, call, request, reply, hide)
    const text = await must(respond, 'responder')(call, request, reply)
    reply.type('application/json; charset=utf-8')
    return reply.send(await packed(request, reply, hide ? hiddenIn(text.toString(), hide) : text))
  }
}

/** Responses to a browser are compressed from this length. Shorter ones fit into one packet. */
const compressedFrom = 1_300

/**
 * Compresses what the console reads, because its users are often on slow networks. Programs are not, and for
 * them compression would cost more than it saves. What changes something is never compressed: its response may
 * contain a new secret, which the length of the compressed response could reveal.
 */
async function packed(
  { method, caller, headers }: FastifyRequest,
  reply: FastifyReply,
  text: string | Buffer,
): Promise<string | Buffer> {
  if (method !== 'GET' || !caller?.session || text.length < compressedFrom) return text
  const encoding = encodingOf(headers['accept-encoding'])
  reply.header('vary', 'accept-encoding')
  if (!encoding) return text
  reply.header('content-encoding', encoding)
  return compressOnTheFly[encoding](text)
}

/**
 * Masks the parts of a response that the caller may not see. It works on the finished response, because the
 * same response may also be returned to callers who may see these parts.
 */
function hiddenIn(text: string, hide: (value: unknown) => unknown): string {
  const { result, ...rest } = fieldsOf(exactJson(text))
  const hidden = Array.isArray(result) ? result.map(hide) : hide(result)
  return JSON.stringify({ ...rest, result: hidden })
}

/** Checks for a recent sign-in on routes where only some request bodies require one. */
async function checkStepUp(
  { gate, platform }: ServerParts,
  route: ApiRoute,
  { caller }: FastifyRequest,
  call: Call,
): Promise<void> {
  if (!route.needsStepUpFor || !caller || (await gate.isFresh(caller))) return
  if (await route.needsStepUpFor(platform.db, call)) throw new Refusal('step_up_required')
}

/** Returns the body of a request. A missing body is treated as `{}`, but `null` is kept. */
const bodyOf = ({ body }: FastifyRequest) => (body === undefined ? {} : body)

/** Runs the route's own validation on the well-formed parts of the body. */
async function validateWellFormed(
  parts: ServerParts,
  route: ApiRoute,
  request: FastifyRequest,
  query: unknown,
  sound: unknown,
  issues: Issues,
): Promise<void> {
  const isNamed = !route.idKind || readId(route.idKind, pathParams(request).id ?? '')
  if (sound !== undefined && isNamed)
    await route.validate?.(parts.platform.db, callOf(parts, route, request, query, sound), issues)
}

function callOf(
  { platform }: ServerParts,
  route: ApiRoute,
  request: FastifyRequest,
  query: unknown,
  body: unknown,
) {
  const params = pathParams(request)
  const id = route.idKind ? readId(route.idKind, params.id ?? '') : ''
  if (id === undefined) throw new Refusal('not_found')
  const { access } = request
  const caller = must(request.caller, 'caller of an admitted request')
  const scope = access?.scope ?? { spaceId: '', environment: caller.environment }
  const call: Call = {
    scope,
    id,
    params,
    query,
    body,
    now: platform.clock.now(scope),
    may: (permission) => access?.may(permission) ?? false,
    userId: caller.userId,
    operator: caller.operator,
    tokenId: caller.tokenId,
    session: caller.session,
    idempotencyKey: route.kind === 'command' ? String(request.headers['idempotency-key']) : '',
  }
  return call
}

type Responder = (call: Call, request: FastifyRequest, reply: FastifyReply) => Promise<string | Buffer>

/** Returns the function that produces the JSON response to a validated call. */
function responderOf(parts: ServerParts, route: Exclude<ApiRoute, StreamRoute>): Responder {
  const { db, home } = parts.platform
  switch (route.kind) {
    case 'read':
      return async (call) => {
        const result = await route.read(call)
        if (result === undefined) throw new Refusal('not_found')
        return success(result)
      }
    case 'list':
      return openPages(parts.platform.seals, route)
    case 'command':
      return respondToCommands(parts, route)
    case 'change':
      return route.isHome
        ? (call) => home.transaction(async (tx) => success(await route.write(tx, call)))
        : (call) => db.transaction(async (tx) => success(await route.write(tx, call)))
  }
}

const success = (result: unknown) => envelope(JSON.stringify(result))

function respondToCommands({ platform, eventData }: ServerParts, route: CommandRoute): Responder {
  const run = createCommand({ ...platform, eventData }, route)
  return async (call, request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const isHidden = 'isBodySecret' in route && route.isBodySecret
    const body = isHidden ? platform.seals.tag('body', canonicalJson(call.body)) : call.body
    const fingerprint = fingerprintOf(
      request.method,
      path,
      'isSecret' in route && route.isSecret ? { ...ownerOfReplay(route, call), body } : body,
    )
    const { text, replay } = await run({ call, key: String(request.headers['idempotency-key']), fingerprint })
    joinTraceOfResult(request, text)
    if (replay) reply.header('service-idempotent-replay', 'true')
    return text
  }
}

/**
 * Returns the owner of a response that contains a secret. Only this owner can replay it; for other callers, the
 * idempotency key counts as already used.
 */
const ownerOfReplay = ({ isForCallerOnly }: { isForCallerOnly?: boolean }, { userId, tokenId }: Call) =>
  isForCallerOnly ? { user: userId, caller: tokenId } : { user: userId }
