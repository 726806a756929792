import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/route.ts'
import type { ProductName } from '../../providers/protocols/mtn-momo/settings.ts'
import type { Provider } from '../../providers/provider.ts'
import { type Holder, holderOf } from '../engine/account-holders.ts'
import { findDisbursement } from '../engine/disbursement-store.ts'
import { takeDisbursement } from '../engine/disbursements.ts'
import type { RailParts } from '../engine/parts.ts'
import { planForPhone } from '../engine/phone-plan.ts'
import { findCollection } from '../engine/store.ts'
import { enter, issueToken, requireSubscription } from './access.ts'
import { documentOf } from './documents.ts'
import { badRequest, MtnError, showMtnError } from './error.ts'
import { readRequestToPay, readTransfer } from './request.ts'

type Handle = (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown

/** MTN MoMo's Open API, products `collection` and `disbursement`, of every simulated provider. */
export const mtnRoutes = (parts: RailParts): RawRoute[] => [
  ...productRoutes(parts, 'collection', 'requesttopay', 'ask a payer to pay', {
    submit: (provider, request, reply) => requestToPay(parts, provider, request, reply),
    query: (provider, request) =>
      answerQuery(findCollection(parts.db, provider.providerId, referenceOf(request))),
  }),
  ...productRoutes(parts, 'disbursement', 'transfer', 'pay out', {
    submit: (provider, request, reply) => transfer(parts, provider, request, reply),
    query: (provider, request) =>
      answerQuery(findDisbursement(parts.db, provider.providerId, referenceOf(request))),
  }),
]

function productRoutes(
  parts: RailParts,
  product: ProductName,
  noun: string,
  what: string,
  { submit, query }: { submit: Handle; query: Handle },
): RawRoute[] {
  const route = (method: 'GET' | 'POST', path: string, summary: string, handle: Handle): RawRoute => ({
    kind: 'raw',
    method,
    url: `/simulator/mtn/:providerId/${product}${path}`,
    summary: `Simulated MTN MoMo, ${product}: ${summary}`,
    showError: showMtnError(parts.log),
    admit: (request) => enter(parts, product, request),
    handle: async (request, reply) => handle(enter(parts, product, request), request, reply),
  })
  const tokenRoute = (path: string): RawRoute => ({
    ...route('POST', path, 'an access token', () => undefined),
    admit: (request) => requireSubscription(parts, product, request),
    handle: async (request) => issueToken(parts, product, request),
  })
  const holder = '/v1_0/accountholder/msisdn/:msisdn'
  return [
    tokenRoute('/token/'),
    tokenRoute('/token'),
    route('POST', `/v1_0/${noun}`, what, submit),
    route('GET', `/v1_0/${noun}/:reference`, 'query the outcome', query),
    route('GET', `${holder}/active`, 'whether an account is active', (_provider, request) => ({
      result: holderOf(msisdnOf(request))?.isActive ?? false,
    })),
    route('GET', `${holder}/basicuserinfo`, 'whose account it is', (_provider, request) =>
      basicUserInfo(holderOf(msisdnOf(request))),
    ),
  ]
}

async function requestToPay(
  parts: RailParts,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { take, clock, delays, wakeAt } = parts
  const asked = readRequestToPay(provider, request, parts.baseUrl)
  const plan = await planForPhone(parts, asked.payer)
  if (plan.submit === 'fail') throw internalError()
  const at = clock.now()
  const later = (afterMs: number) => new Date(at.getTime() + afterMs)
  const asksUntil = plan.asks ? later(delays.promptLifeMs) : null
  const added = await take('collection', { asked: { ...asked, asksUntil }, at, outcomes: plan.outcomes })
  if (!added) throw duplicate()
  for (const { afterMs } of plan.outcomes) wakeAt(later(afterMs))
  return plan.submit === 'accept' ? reply.code(202).send() : loseAnswer(request, reply)
}

async function transfer(parts: RailParts, provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  const taken = await takeDisbursement(parts, readTransfer(provider, request, parts.baseUrl))
  if (taken === 'fail') throw internalError()
  if (taken === 'again') throw duplicate()
  return taken === 'accept' ? reply.code(202).send() : loseAnswer(request, reply)
}

function loseAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.destroy()
}

const internalError = () =>
  new MtnError(500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred while processing.')
const duplicate = () =>
  new MtnError(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
const notFound = () => new MtnError(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')

async function answerQuery(found: Promise<Parameters<typeof documentOf>[0] | undefined>): Promise<object> {
  const asked = await found
  if (!asked) throw notFound()
  return documentOf(asked)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function referenceOf(request: FastifyRequest): string {
  const { reference } = request.params as { reference: string }
  if (!uuid.test(reference)) throw badRequest('The reference is not a UUID.')
  return reference
}

function msisdnOf(request: FastifyRequest): string {
  const { msisdn } = request.params as { msisdn: string }
  if (!/^[1-9][0-9]{5,14}$/.test(msisdn)) throw badRequest('The account holder is not an MSISDN.')
  return msisdn
}

function basicUserInfo(holder: Holder | undefined): object {
  if (!holder) throw notFound()
  return {
    given_name: holder.givenName,
    family_name: holder.familyName,
    birthdate: '1990-01-01',
    locale: 'en',
    gender: 'UNSPECIFIED',
    status: holder.isActive ? 'ACTIVE' : 'BLOCKED',
  }
}
