import type { FastifyRequest } from 'fastify'
import { requireLimits } from '../../limits/limits.ts'
import type { Limit } from '../../limits/rate-limits.ts'
import { Refusal, refusalCatalogue } from '../../refusals.ts'
import { type ApiRoute, isInSpace } from '../commands/route.ts'
import { checkOrigin, credentialsOf } from './credentials.ts'
import type { Access, Caller, CallerCredentials, Gate } from './gate.ts'
import { maxBodyBytes, type ServerParts } from './parts.ts'
import { knownVersions } from './version.ts'

const maxKeyLength = 64 // limit: length of an `Idempotency-Key`

declare module 'fastify' {
  interface FastifyRequest {
    credentials?: CallerCredentials
    caller?: Caller
    access?: Access | undefined
  }
}

/**
 * Runs the checks that do not need the body, in the order that the API contract defines: version, body size,
 * token, Space header, access to the Space, rate limits, permission, content type, Idempotency-Key.
 */
export async function admit(parts: ServerParts, route: ApiRoute, request: FastifyRequest): Promise<void> {
  checkVersion(request)
  checkSize(request, route.maxBodyBytes)
  await checkCaller(parts, route, request)
  checkMediaType(request)
  if (route.kind === 'command') checkIdempotencyKey(request)
}

export function checkVersion({ headers }: FastifyRequest): void {
  const version = headers['service-version']
  if (version !== undefined && !knownVersions.includes(String(version))) throw new Refusal('version_unknown')
}

function checkSize({ headers }: FastifyRequest, atMost = maxBodyBytes): void {
  // A body without a Content-Length is measured while it is read.
  if (Number(headers['content-length'] ?? 0) > atMost) throw new Refusal('body_too_large', tooLarge(atMost))
}

const tooLarge = (bytes: number) =>
  bytes === maxBodyBytes ? {} : { message: `The body is larger than ${bytes / 1024} KiB.` }

async function checkCaller(
  { platform, gate }: ServerParts,
  route: ApiRoute,
  request: FastifyRequest,
): Promise<void> {
  const credentials = credentialsOf(request, platform.baseUrl)
  request.credentials = credentials
  if ('sessionSecret' in credentials) checkOrigin(request, platform.baseUrl)
  const caller = await gate.authenticate(credentials, request.ip)
  request.caller = caller
  const access = await accessOf(gate, route, caller, request)
  request.access = access
  if (platform.settings.rateLimits === 'on')
    await requireLimits(platform, ...limitsOf(platform.settings, route, caller, access))
  if (route.permission !== null && access && !mayCall(route, access))
    throw lacking(route.permission, route.proposedWith)
  if (route.needsStepUp) await checkFreshness(gate, caller)
}

/** Requires a recent sign-in for sensitive actions, because the user may have left the browser unattended. */
export async function checkFreshness(gate: Gate, caller: Caller): Promise<void> {
  if (!(await gate.isFresh(caller))) throw new Refusal('step_up_required')
}

/**
 * Returns the caller's access to the Space that the route applies to, or to the installation. Returns
 * `undefined` if the route requires no permission.
 */
export async function accessOf(gate: Gate, route: ApiRoute, caller: Caller, request: FastifyRequest) {
  if (route.permission === null) return undefined
  return isInSpace(route)
    ? gate.enter(caller, spaceIdOf(request), request.ip)
    : gate.enterInstallation(caller, request.ip)
}

export const mayCall = ({ permission, maskedFor, proposedWith }: ApiRoute, { may }: Access) =>
  [permission, maskedFor, proposedWith].some((right) => right && may(right))

function lacking(permission: string, proposedWith: string | undefined): Refusal {
  const needed = `${refusalCatalogue.access_denied[1]} It requires ${permission}.`
  return new Refusal('access_denied', {
    message: proposedWith
      ? `${needed} With ${proposedWith} you can propose it for another member to approve.`
      : needed,
    details: [{ param: 'permission', errors: [permission] }],
  })
}

function spaceIdOf(request: FastifyRequest): string {
  const header = request.headers['service-space-id']
  if (header === undefined || header === '') throw new Refusal('space_id_missing')
  return String(header)
}

/**
 * Returns the rate limits, broadest first, because the first exceeded limit is reported if the waiting times
 * are equal.
 */
function limitsOf(
  settings: ServerParts['platform']['settings'],
  route: ApiRoute,
  { tokenId, environment }: Caller,
  access: Access | undefined,
): Limit[] {
  const live = environment === 'live'
  const limits = [
    tokenLimit(tokenId, live ? settings.tokenLimitLive : settings.tokenLimitTest),
    {
      name: 'endpoint-limit',
      key: `${tokenId} ${route.method} ${route.url}`,
      atMost: live ? settings.endpointLimitLive : settings.endpointLimitTest,
      perMs: secondMs,
    },
  ]
  if (access)
    limits.unshift({
      name: 'space-limit',
      key: `${environment} ${access.scope.spaceId}`,
      atMost: live ? settings.spaceLimitLive : settings.spaceLimitTest,
      perMs: secondMs,
    })
  return limits
}

const secondMs = 1_000

/** Returns the limit of all requests with a token, or in a session. */
export const tokenLimit = (tokenId: string, atMost: number): Limit => ({
  name: 'token-limit',
  key: tokenId,
  atMost,
  perMs: secondMs,
})

const jsonType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

function checkMediaType({ headers, method }: FastifyRequest): void {
  const type = headers['content-type']
  const needsBody = method === 'POST' || method === 'PATCH'
  const isJson = type !== undefined && jsonType.test(type)
  if (needsBody ? !isJson : method === 'DELETE' && type && !isJson)
    throw new Refusal('media_type_unsupported')
  if (needsBody && (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refusal('media_type_unsupported', {
      message: 'Send the body without Content-Encoding.',
    })
}

function checkIdempotencyKey({ headers, raw }: FastifyRequest): void {
  const key = headers['idempotency-key']
  // Node joins repeated headers into one value, which the client never sent. A call in this process has none.
  if ((raw.headersDistinct?.['idempotency-key']?.length ?? 0) > 1)
    throw new Refusal('idempotency_key_invalid', { message: 'Send exactly one Idempotency-Key header.' })
  if (key === undefined || key === '') throw new Refusal('idempotency_key_missing')
  if (key.length > maxKeyLength || !/^[\x20-\x7e]+$/.test(String(key)))
    throw new Refusal('idempotency_key_invalid')
}
