import type { Provider } from '@pesewa/connector-kit'
import {
  keyWith,
  pathParams,
  providerIn,
  RailError,
  type RailRoute,
  routesFor,
  type SimulatorParts,
  type StoredCollection,
  type StoredDisbursement,
  type SubmitResult,
  showRailError,
  submitCollection,
  submitDisbursement,
} from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exampleRail } from '../protocol.ts'
import { simulatorKey } from '../test-credentials.ts'
import { documentOf } from './documents.ts'
import { readOrder } from './request.ts'

/** Routes for payments, payouts and queries, for callers with this deployment's key. */
export const moneyRoutes = (parts: SimulatorParts): RailRoute[] => {
  const { store, baseUrl } = parts
  const route = routesFor({
    protocol: exampleRail.name,
    name: 'Example Rail',
    showError: showRailError(parts.log),
    enter: (request) => enter(parts, request),
  })
  return [
    route('POST', '/payments', 'request a payment', async (provider, request, reply) => {
      const { account, ...order } = readOrder(provider, request, baseUrl)
      return respond(await submitCollection(parts, { ...order, payer: account, returnUrl: null }), reply)
    }),
    route('GET', '/payments/:reference', 'query a payment', async (provider, request) =>
      answer(await store.findCollection(keyOf(provider, request))),
    ),
    route('POST', '/payouts', 'send a payout', async (provider, request, reply) => {
      const { account, ...order } = readOrder(provider, request, baseUrl)
      return respond(await submitDisbursement(parts, { ...order, payee: account }), reply)
    }),
    route('GET', '/payouts/:reference', 'query a payout', async (provider, request) =>
      answer(await store.findDisbursement(keyOf(provider, request))),
    ),
  ]
}

/** Returns the provider if the request has the key, and otherwise refuses the request. */
function enter(parts: SimulatorParts, request: FastifyRequest): Provider {
  const provider = providerIn(parts, request, exampleRail.name, new RailError(404, 'no_such_rail'))
  if (!sameText(request.headers.authorization ?? '', `Bearer ${simulatorKey(parts.seals)}`))
    throw new RailError(401, 'key_invalid')
  return provider
}

function respond(result: SubmitResult, reply: FastifyReply): unknown {
  if (result === 'again') throw new RailError(409, 'duplicate_reference')
  return reply.code(202).send({ status: 'pending' })
}

const keyOf = (provider: Provider, request: FastifyRequest) =>
  keyWith(provider, pathParams(request).reference, new RailError(400, 'request_invalid'))

function answer(stored: StoredCollection | StoredDisbursement | undefined): object {
  if (!stored) throw new RailError(404, 'not_found')
  return documentOf(stored)
}
