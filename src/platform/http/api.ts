import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { createBatches } from '../batches.ts'
import { fieldsOf } from '../fields.ts'
import { readId } from '../ids.ts'
import { must } from '../must.ts'
import { Faults, Refusal } from '../refusals.ts'
import { createCommand } from './command.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Access, Caller } from './gate.ts'
import { envelope, fingerprintOf } from './idempotency.ts'
import { jsonOf } from './json.ts'
import { maxBodyBytes, type ServerParts } from './parts.ts'
import { type Limit, tooManyRequests } from './rate-limits.ts'
import { pathParams } from './request.ts'
import type { ApiRoute, Call, CommandRoute, ListRoute } from './route.ts'
import { object } from './shapes.ts'
import type { Streams } from './streams.ts'
import { Checker } from './validation.ts'
import { knownVersions } from './version.ts'

const maxPageSize = 50 // limit: entries of a page of a list
const defaultPageSize = 10 // limit: entries of a page when the request names no number
const maxKeyLength = 64 // limit: an `Idempotency-Key`

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
    access?: Access | undefined
  }
}

/** What a list takes beside its filters. */
const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: defaultPageSize })),
  after: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The `pagination.next` of the page before.' }), // limit: a cursor
  ),
}

/** The query of a route: its own fields, and paging where it lists. */
export function querySchema(route: ApiRoute): TSchema {
  const own = Type.IsObject(route.query) ? route.query.properties : {}
  return object(route.kind === 'list' ? { ...own, ...paging } : own)
}

/**
 * A route of the API, with every check in the contract's order: route (the server), version, body size, token,
 * Space header, Space access, limits, permission, content type, idempotency header, JSON, validation, then the work.
 */
export function addApiRoute(
  server: FastifyInstance,
  parts: ServerParts & { streams: Streams },
  route: ApiRoute,
): void {
  const queryChecker = new Checker(querySchema(route))
  const bodyChecker = route.body && new Checker(route.body)
  const answer = answererOf(parts, route)

  server.route({
    method: route.method,
    url: route.url,
    onRequest: async (request) => {
      checkVersionAndSize(request)
      await admit(parts, route, request)
      checkHeaders(route, request)
    },
    handler: (request, reply) => {
      const { access } = request
      const work = () => handle(request, reply)
      return access ? parts.platform.db.within(access.scope.spaceId, work) : work()
    },
  })

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const faults = new Faults()
    const query = queryChecker.checkQuery(fieldsOf(request.query), faults)
    const body = bodyChecker?.checkBody(bodyOf(request), faults, route.method)
    if (faults.list.length > 0) {
      await judgeSound(parts, route, request, query, bodyChecker?.soundParts(body), faults)
      throw faults.refusal()
    }
    return answer(callOf(parts, route, request, query, body), request, reply)
  }
}

function checkVersionAndSize({ headers }: FastifyRequest): void {
  const version = headers['service-version']
  if (version !== undefined && !knownVersions.includes(String(version))) throw new Refusal('version_unknown')
  // A body that does not tell its size is refused while it is read.
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw new Refusal('body_too_large')
}

/** No body means `{}`; `null` is a body. */
const bodyOf = ({ body }: FastifyRequest) => (body === undefined ? {} : body)

async function admit({ platform, gate, limiter }: ServerParts, route: ApiRoute, request: FastifyRequest) {
  const caller = await gate.authenticate(request.headers.authorization, request.ip)
  request.caller = caller
  const access =
    route.permission === null ? undefined : await gate.enter(caller, spaceIdOf(request), request.ip)
  request.access = access
  if (platform.settings.rateLimits === 'on') {
    const exceeded = await limiter.take(limitsOf(platform.settings, route, caller, access), Date.now())
    if (exceeded) {
      platform.metrics.rateLimited.inc({ limit: exceeded.name })
      throw tooManyRequests(exceeded)
    }
  }
  if (route.permission !== null && access && !mayCall(route, access))
    throw new Refusal('access_denied', { details: [{ param: 'permission', errors: [route.permission] }] })
}

const mayCall = ({ permission, maskedFor }: ApiRoute, { may }: Access) =>
  [permission, maskedFor].some((right) => right && may(right))

function spaceIdOf(request: FastifyRequest): string {
  const header = request.headers['service-space-id']
  if (header === undefined || header === '') throw new Refusal('space_id_missing')
  return String(header)
}

/** The widest first: it is the one told when waits are equal. */
function limitsOf(
  settings: ServerParts['platform']['settings'],
  route: ApiRoute,
  { tokenId, environment }: Caller,
  access: Access | undefined,
): Limit[] {
  const live = environment === 'live'
  const limits: Limit[] = [
    {
      name: 'token-limit',
      key: tokenId,
      perSecond: live ? settings.tokenLimitLive : settings.tokenLimitTest,
    },
    {
      name: 'endpoint-limit',
      key: `${tokenId} ${route.method} ${route.url}`,
      perSecond: live ? settings.endpointLimitLive : settings.endpointLimitTest,
    },
  ]
  if (access)
    limits.unshift({
      name: 'space-limit',
      key: `${environment} ${access.scope.spaceId}`,
      perSecond: live ? settings.spaceLimitLive : settings.spaceLimitTest,
    })
  return limits
}

const jsonType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

function checkHeaders(route: ApiRoute, request: FastifyRequest): void {
  const { headers, method } = request
  const type = headers['content-type']
  const needsBody = method === 'POST' || method === 'PATCH'
  if (
    needsBody
      ? type === undefined || !jsonType.test(type)
      : method === 'DELETE' && type && !jsonType.test(type)
  )
    throw new Refusal('media_type_unsupported')
  if (needsBody && (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refusal('media_type_unsupported', {
      message: 'Send the body as it is, without Content-Encoding.',
    })
  if (route.kind !== 'command') return
  const key = headers['idempotency-key']
  // Node joins them to one that nobody has sent.
  if ((request.raw.headersDistinct['idempotency-key']?.length ?? 0) > 1)
    throw new Refusal('idempotency_key_invalid', { message: 'Send one Idempotency-Key header, not several.' })
  if (key === undefined || key === '') throw new Refusal('idempotency_key_missing')
  if (key.length > maxKeyLength || !/^[\x20-\x7e]+$/.test(String(key)))
    throw new Refusal('idempotency_key_invalid')
}

/** What is wrong with the meaning of those parts of a body whose shape is right. */
async function judgeSound(
  parts: ServerParts,
  route: ApiRoute,
  request: FastifyRequest,
  query: unknown,
  sound: unknown,
  faults: Faults,
): Promise<void> {
  const isNamed = !route.idKind || readId(route.idKind, pathParams(request).id ?? '')
  if (sound !== undefined && isNamed)
    await route.judge?.(parts.platform.db, callOf(parts, route, request, query, sound), faults)
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
  const caller = must(request.caller, 'caller: every request is admitted first')
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
    tokenId: caller.tokenId,
    idempotencyKey: route.kind === 'command' ? String(request.headers['idempotency-key']) : '',
  }
  return call
}

type Answerer = (call: Call, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** How a route answers a checked call. */
function answererOf(parts: ServerParts & { streams: Streams }, route: ApiRoute): Answerer {
  const { db } = parts.platform
  switch (route.kind) {
    case 'read':
      return async (call, _request, reply) => {
        const result = await route.read(call)
        if (result === undefined) throw new Refusal('not_found')
        return send(reply, success(result))
      }
    case 'list': {
      const listed = shareLists(parts, route)
      return async (call, _request, reply) => send(reply, await listed(call))
    }
    case 'stream':
      return (call, request, reply) => parts.streams.answer(route, call, request, reply)
    case 'command':
      return answerCommands(parts, route)
    case 'change':
      return async (call, _request, reply) =>
        send(reply, await db.transaction(async (tx) => success(await route.write(tx, call))))
  }
}

const send = (reply: FastifyReply, text: string) => reply.type('application/json; charset=utf-8').send(text)

const success = (result: unknown) => envelope(jsonOf(result))

function answerCommands({ platform, eventData }: ServerParts, route: CommandRoute): Answerer {
  const run = createCommand({ ...platform, eventData }, route)
  return async (call, request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const fingerprint = fingerprintOf(request.method, path, call.body)
    const { text, replay } = await run({ call, key: String(request.headers['idempotency-key']), fingerprint })
    if (replay) reply.header('service-idempotent-replay', 'true')
    return send(reply, text)
  }
}

/**
 * A page that a token asks for several times at once, as those do who look again and again, is read once: after all of
 * them asked.
 */
function shareLists(parts: ServerParts, route: ListRoute): (call: Call) => Promise<string> {
  const batches = createBatches<Call, string>({
    run: async (calls) => {
      const answer = await answerList(parts, route, must(calls[0], 'call in a batch'))
      return calls.map(() => ({ answer }))
    },
  })
  return (call) => {
    const { scope, tokenId, params, query } = call
    return batches.submit(JSON.stringify([scope.spaceId, tokenId, params, query]), call)
  }
}

async function answerList(
  { platform: { seals } }: ServerParts,
  route: ListRoute,
  call: Call,
): Promise<string> {
  const { limit: asked, after, ...filters } = fieldsOf(call.query)
  const limit = typeof asked === 'number' ? asked : defaultPageSize
  const binding = { ...call.scope, url: route.url, filters }
  const position = typeof after === 'string' ? openCursor(seals, binding, after) : undefined
  const listed = await route.list(call, { take: limit + 1, after: position })
  const { rows, stoppedAt } = Array.isArray(listed) ? { rows: listed, stoppedAt: undefined } : listed
  const page = rows.slice(0, limit)
  const goesOnAfter = rows.length > limit ? route.position(page.at(-1)) : stoppedAt
  const next = goesOnAfter === undefined ? null : sealCursor(seals, binding, goesOnAfter)
  const entries = page.map((row) => jsonOf(route.present(row, call)))
  const pagination = JSON.stringify({ count: page.length, next })
  return `{"success":true,"messages":[],"result":[${entries.join(',')}],"pagination":${pagination}}`
}
