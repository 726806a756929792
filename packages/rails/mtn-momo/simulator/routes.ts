import type { Provider } from '@pesewa/connector-kit'
import {
  type Holder,
  holderOf,
  loseResponse,
  pathParams,
  type RailRoute,
  type SimulatorParts,
  type SubmitResult,
  submitCollection,
  submitDisbursement,
  submitRefund,
} from '@pesewa/connector-kit/simulator'
import { toMajorUnits } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ProductName } from '../settings.ts'

import { enter, issueToken, requireSubscription } from './access.ts'
import { documentOf } from './documents.ts'
import { badRequest, internalError, MtnError, showMtnError } from './error.ts'
import { readRefund, readRequestToPay, readTransfer } from './request.ts'

type Handle = (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown

/** MTN MoMo's Open API for every simulated provider, with the products `collection` and `disbursement`. */
export const mtnRoutes = (parts: SimulatorParts): RailRoute[] => [
  ...productRoutes(parts, 'collection', 'requesttopay', 'request a payment', {
    submit: async (provider, request, reply) => {
      const collection = readRequestToPay(provider, request, parts.baseUrl)
      return respond(await submitCollection(parts, collection), request, reply)
    },
    query: (provider, request) => answerQuery(parts.store.findCollection(keyOf(provider, request))),
  }),
  ...productRoutes(parts, 'disbursement', 'transfer', 'send a payout', {
    submit: async (provider, request, reply) => {
      const disbursement = readTransfer(provider, request, parts.baseUrl)
      return respond(await submitDisbursement(parts, disbursement), request, reply)
    },
    query: (provider, request) => answerQuery(parts.store.findDisbursement(keyOf(provider, request))),
  }),
  ...orderRoutes(parts, 'disbursement', 'refund', 'refund a payment', {
    submit: async (provider, request, reply) => {
      const result = await submitRefund(parts, readRefund(provider, request, parts.baseUrl))
      if (!result) throw notFound()
      return respond(result, request, reply)
    },
    query: (provider, request) => answerQuery(parts.store.findRefund(keyOf(provider, request))),
  }),
]

function productRoutes(
  parts: SimulatorParts,
  product: ProductName,
  noun: string,
  what: string,
  handles: { submit: Handle; query: Handle },
): RailRoute[] {
  const route = productRoute(parts, product)
  const tokenRoute = (path: string): RailRoute => ({
    ...route('POST', path, 'issue an access token', () => undefined),
    admit: (request) => requireSubscription(parts, product, request),
    handle: async (request) => issueToken(parts, product, request),
  })
  const holder = '/v1_0/accountholder/msisdn/:msisdn'
  return [
    tokenRoute('/token/'),
    tokenRoute('/token'),
    ...orderRoutes(parts, product, noun, what, handles),
    route('GET', '/v1_0/account/balance', 'get the account balance', ({ currencies: [currency = ''] }) => ({
      availableBalance: toMajorUnits(accountBalance, currency),
      currency,
    })),
    route('GET', `${holder}/active`, 'check whether an account is active', (_provider, request) => ({
      result: holderOf(msisdnOf(request))?.isActive ?? false,
    })),
    route('GET', `${holder}/basicuserinfo`, 'look up an account holder', (_provider, request) =>
      basicUserInfo(holderOf(msisdnOf(request))),
    ),
  ]
}

function orderRoutes(
  parts: SimulatorParts,
  product: ProductName,
  noun: string,
  what: string,
  { submit, query }: { submit: Handle; query: Handle },
): RailRoute[] {
  const route = productRoute(parts, product)
  return [
    route('POST', `/v1_0/${noun}`, what, submit),
    route('GET', `/v1_0/${noun}/:reference`, 'query the outcome', query),
  ]
}

const productRoute =
  (parts: SimulatorParts, product: ProductName) =>
  (method: 'GET' | 'POST', path: string, summary: string, handle: Handle): RailRoute => ({
    kind: 'raw',
    method,
    url: `/simulator/mtn-momo/:providerId/${product}${path}`,
    summary: `Simulated MTN MoMo, ${product}: ${summary}`,
    showError: showMtnError(parts.log),
    admit: (request) => enter(parts, product, request),
    handle: async (request, reply) => handle(enter(parts, product, request), request, reply),
  })

function respond(result: SubmitResult, request: FastifyRequest, reply: FastifyReply) {
  if (result === 'fail') throw internalError()
  if (result === 'again') throw duplicate()
  return result === 'accept' ? reply.code(202).send() : loseResponse(request, reply)
}

const duplicate = () =>
  new MtnError(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
const notFound = () => new MtnError(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')

async function answerQuery(stored: Promise<Parameters<typeof documentOf>[0] | undefined>): Promise<object> {
  const request = await stored
  if (!request) throw notFound()
  return documentOf(request)
}

/** The balance always stays the same, whatever is paid out. */
const accountBalance = 100_000_000n // our balance with a simulated rail, in minor units

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function keyOf({ providerId }: Provider, request: FastifyRequest) {
  const { reference = '' } = pathParams(request)
  if (!uuid.test(reference)) throw badRequest('The reference is not a UUID.')
  return { providerId, reference }
}

function msisdnOf(request: FastifyRequest): string {
  const { msisdn = '' } = pathParams(request)
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
