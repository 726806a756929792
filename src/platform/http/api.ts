import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { createBatches } from '../batches.ts'
import { readId } from '../ids.ts'
import { Faults, Refusal } from '../refusals.ts'
import { createCommand, type RunCommand } from './command.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Access, Caller } from './gate.ts'
import { envelope, fingerprintOf } from './idempotency.ts'
import { jsonOf } from './json.ts'
import { maxBodyBytes, type ServerParts } from './parts.ts'
import { type Limit, tooManyRequests } from './rate-limits.ts'
import type { ApiRoute, Call } from './route.ts'
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
  const own = (route.query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}
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
  const run = createCommand(parts.platform, route)
  const listed = shareLists(parts, route)

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
      const answer = () => handle(request, reply)
      return access ? parts.platform.db.within(access.scope.spaceId, answer) : answer()
    },
  })

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const faults = new Faults()
    const query = queryChecker.checkQuery(request.query as Record<string, unknown>, faults)
    const body = bodyChecker?.checkBody(bodyOf(request), faults, route.method)
    if (faults.list.length > 0) {
      await judgeSound(parts, route, request, query, bodyChecker?.soundParts(body), faults)
      throw faults.refusal()
    }
    const call = callOf(parts, route, request, query, body)
    if (route.kind === 'stream') return parts.streams.answer(route, call, request, reply)
    const text =
      route.kind === 'list'
        ? await listed(call)
        : await answers[route.kind](parts, route, call, request, reply, run)
    return reply.type('application/json; charset=utf-8').send(text)
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
  if (route.permission !== null) request.access = await gate.enter(caller, spaceIdOf(request), request.ip)
  if (platform.settings.rateLimits === 'on') {
    const exceeded = await limiter.take(limitsOf(platform.settings, route, request), Date.now())
    if (exceeded) {
      platform.metrics.rateLimited.inc({ limit: exceeded.name })
      throw tooManyRequests(exceeded)
    }
  }
  if (route.permission !== null && !mayCall(route, request.access!))
    throw new Refusal('access_denied', { details: [{ param: 'permission', errors: [route.permission] }] })
}

const mayCall = ({ permission, maskedFor }: ApiRoute, { may }: Access) =>
  may(permission!) || (maskedFor !== undefined && may(maskedFor))

function spaceIdOf(request: FastifyRequest): string {
  const header = request.headers['service-space-id']
  if (header === undefined || header === '') throw new Refusal('space_id_missing')
  return String(header)
}

/** The widest first: it is the one told when waits are equal. */
function limitsOf(
  settings: ServerParts['platform']['settings'],
  route: ApiRoute,
  request: FastifyRequest,
): Limit[] {
  const { tokenId, environment } = request.caller!
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
  if (request.access)
    limits.unshift({
      name: 'space-limit',
      key: `${environment} ${request.access.scope.spaceId}`,
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
  const isNamed = !route.idKind || readId(route.idKind, (request.params as Record<string, string>).id ?? '')
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
  const params = request.params as Record<string, string>
  const id = route.idKind ? readId(route.idKind, params.id ?? '') : ''
  if (id === undefined) throw new Refusal('not_found')
  const { access, caller } = request
  const scope = access?.scope ?? { spaceId: '', environment: caller!.environment }
  const call: Call = {
    scope,
    id,
    params,
    query,
    body,
    now: platform.clock.now(scope),
    may: (permission) => access?.may(permission) ?? false,
    userId: caller!.userId,
    tokenId: caller!.tokenId,
    idempotencyKey: route.kind === 'command' ? String(request.headers['idempotency-key']) : '',
  }
  return call
}

type Answer = (
  parts: ServerParts,
  route: ApiRoute,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  run: RunCommand,
) => Promise<string>

const success = (result: unknown) => envelope(jsonOf(result))

/**
 * A page that a token asks for several times at once, as those do who look again and again, is read once: after all of
 * them asked.
 */
function shareLists(parts: ServerParts, route: ApiRoute): (call: Call) => Promise<string> {
  const batches = createBatches<Call, string>({
    run: async (calls) => {
      const answer = await answerList(parts, route, calls[0]!)
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
  route: ApiRoute,
  call: Call,
): Promise<string> {
  const { limit = defaultPageSize, after, ...filters } = call.query as { limit?: number; after?: string }
  const binding = { ...call.scope, url: route.url, filters }
  const position = after === undefined ? undefined : openCursor(seals, binding, after)
  const listed = await route.list!(call, { take: limit + 1, after: position })
  const { rows, stoppedAt } = Array.isArray(listed) ? { rows: listed, stoppedAt: undefined } : listed
  const page = rows.slice(0, limit)
  const goesOnAfter = rows.length > limit ? route.position!(page.at(-1)) : stoppedAt
  const next = goesOnAfter === undefined ? null : sealCursor(seals, binding, goesOnAfter)
  const entries = page.map((row) => jsonOf(route.present!(row, call)))
  const pagination = JSON.stringify({ count: page.length, next })
  return `{"success":true,"messages":[],"result":[${entries.join(',')}],"pagination":${pagination}}`
}

const answers: Record<Exclude<ApiRoute['kind'], 'list' | 'stream'>, Answer> = {
  read: async (_parts, route, call) => success(await route.read!(call)),

  command: async (_parts, _route, call, request, reply, run) => {
    const path = request.url.split('?', 1)[0]!
    const fingerprint = fingerprintOf(request.method, path, call.body)
    const { text, replay } = await run({ call, key: String(request.headers['idempotency-key']), fingerprint })
    if (replay) reply.header('service-idempotent-replay', 'true')
    return text
  },

  change: ({ platform: { db } }, route, call) =>
    db.transaction(async (tx) => success(await route.write!(tx, call))),
}
