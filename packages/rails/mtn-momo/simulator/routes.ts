import type { Provider } from '@pesewa/connector-kit'
import {
  type Holder,
  holderOf,
  keyWith,
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
import { productRoutesFor, tokenRoutes } from './access.ts'
import { documentOf } from './documents.ts'
import { badRequest, MtnError } from './error.ts'
import { readRefund, readRequestToPay, readTransfer } from './request.ts'

/** MTN MoMo's Open API for every simulated provider, with the products `collection` and `disbursement`. */
export function mtnRoutes(parts: SimulatorParts): RailRoute[] {
  const { store, baseUrl } = parts
  const collection = productRoutesFor(parts, 'collection')
  const disbursement = productRoutesFor(parts, 'disbursement')
  return [
    ...accountRoutes(parts, 'collection'),
    collection('POST', '/v1_0/requesttopay', 'request a payment', async (provider, request, reply) =>
      respond(await submitCollection(parts, readRequestToPay(provider, request, baseUrl)), reply),
    ),
    collection('GET', '/v1_0/requesttopay/:reference', 'query the outcome', (provider, request) =>
      answerQuery(store.findCollection(keyOf(provider, request))),
    ),
    ...accountRoutes(parts, 'disbursement'),
    disbursement('POST', '/v1_0/transfer', 'send a payout', async (provider, request, reply) =>
      respond(await submitDisbursement(parts, readTransfer(provider, request, baseUrl)), reply),
    ),
    disbursement('GET', '/v1_0/transfer/:reference', 'query the outcome', (provider, request) =>
      answerQuery(store.findDisbursement(keyOf(provider, request))),
    ),
    disbursement('POST', '/v1_0/refund', 'refund a payment', async (provider, request, reply) =>
      respond(await submitRefund(parts, readRefund(provider, request, baseUrl)), reply),
    ),
    disbursement('GET', '/v1_0/refund/:reference', 'query the outcome', (provider, request) =>
      answerQuery(store.findRefund(keyOf(provider, request))),
    ),
  ]
}

function accountRoutes(parts: SimulatorParts, product: ProductName): RailRoute[] {
  const route = productRoutesFor(parts, product)
  const holder = '/v1_0/accountholder/msisdn/:msisdn'
  return [
    ...tokenRoutes(parts, product),
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

function respond(result: SubmitResult | undefined, reply: FastifyReply) {
  if (!result) throw notFound()
  if (result === 'again')
    throw new MtnError(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
  return reply.code(202).send()
}

const notFound = () => new MtnError(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')

async function answerQuery(stored: Promise<Parameters<typeof documentOf>[0] | undefined>): Promise<object> {
  const request = await stored
  if (!request) throw notFound()
  return documentOf(request)
}

/** The balance always stays the same, whatever is paid out. */
const accountBalance = 100_000_000n // our balance with a simulated rail, in minor units

const keyOf = (provider: Provider, request: FastifyRequest) =>
  keyWith(provider, pathParams(request).reference?.toLowerCase(), badRequest('The reference is not a UUID.'))

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
