import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/route.ts'
import type { Provider } from '../provider.ts'
import { planFor } from './behaviour.ts'
import { documentOf } from './documents.ts'
import { enter, issueToken } from './mtn-access.ts'
import { badRequest, MtnError, showMtnError } from './mtn-error.ts'
import { readRequestToPay } from './mtn-request.ts'
import type { RailParts } from './parts.ts'
import { findCollection, findMode, insertCollection } from './store.ts'

const base = '/simulator/mtn/:providerId/collection'

/** MTN MoMo's Open API, product `collection`, of every simulated provider. */
export function mtnRoutes(parts: RailParts): RawRoute[] {
  const route = (
    method: 'GET' | 'POST',
    path: string,
    summary: string,
    handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
  ): RawRoute => ({
    kind: 'raw',
    method,
    url: `${base}${path}`,
    summary,
    showError: showMtnError(parts.log),
    handle: async (request, reply) => handle(enter(parts, request), request, reply),
  })
  const tokenRoute = (path: string): RawRoute => ({
    ...route('POST', path, 'Simulated MTN MoMo: an access token', () => undefined),
    handle: async (request) => issueToken(parts, request),
  })
  return [
    tokenRoute('/token/'),
    tokenRoute('/token'),
    route(
      'POST',
      '/v1_0/requesttopay',
      'Simulated MTN MoMo: ask a payer to pay',
      (provider, request, reply) => requestToPay(parts, provider, request, reply),
    ),
    route(
      'GET',
      '/v1_0/requesttopay/:reference',
      'Simulated MTN MoMo: what became of it',
      (provider, request) => answerQuery(parts, provider, request),
    ),
    route(
      'GET',
      '/v1_0/accountholder/msisdn/:msisdn/active',
      'Simulated MTN MoMo: whether an account is active',
      (_provider, request) => ({ result: isActive(msisdnOf(request)) }),
    ),
    route(
      'GET',
      '/v1_0/accountholder/msisdn/:msisdn/basicuserinfo',
      'Simulated MTN MoMo: whose account it is',
      (_provider, request) => basicUserInfo(msisdnOf(request)),
    ),
  ]
}

async function requestToPay(
  { db, clock, delays, wakeAt, baseUrl }: RailParts,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const asked = readRequestToPay(provider, request, baseUrl)
  const plan = planFor(asked.payer, await findMode(db, asked.payer), delays)
  if (plan.submit === 'fail')
    throw new MtnError(500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred while processing.')
  const at = clock.now()
  const later = (afterMs: number) => new Date(at.getTime() + afterMs)
  const asksUntil = plan.asks ? later(delays.promptLifeMs) : null
  const added = await db.transaction((tx) => insertCollection(tx, asked, at, plan.outcomes, asksUntil))
  if (!added)
    throw new MtnError(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
  for (const { afterMs } of plan.outcomes) wakeAt(later(afterMs))
  if (plan.submit === 'accept') return reply.code(202).send()
  reply.hijack()
  request.raw.socket.destroy()
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function answerQuery({ db }: RailParts, provider: Provider, request: FastifyRequest): Promise<object> {
  const { reference } = request.params as { reference: string }
  if (!uuid.test(reference)) throw badRequest('The reference is not a UUID.')
  const collection = await findCollection(db, provider.providerId, reference)
  if (!collection) throw new MtnError(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')
  return documentOf(collection)
}

function msisdnOf(request: FastifyRequest): string {
  const { msisdn } = request.params as { msisdn: string }
  if (!/^[1-9][0-9]{5,14}$/.test(msisdn)) throw badRequest('The account holder is not an MSISDN.')
  return msisdn
}

/** …009 is blocked and …010 has no account. */
function isActive(msisdn: string): boolean {
  return !/(009|010)$/.test(msisdn)
}

function basicUserInfo(msisdn: string): object {
  if (msisdn.endsWith('010'))
    throw new MtnError(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')
  return {
    given_name: 'Test',
    family_name: `Payer ${msisdn.slice(-3)}`,
    birthdate: '1990-01-01',
    locale: 'en',
    gender: 'UNSPECIFIED',
    status: isActive(msisdn) ? 'ACTIVE' : 'BLOCKED',
  }
}
