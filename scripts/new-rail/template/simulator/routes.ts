import type { Provider } from '@pesewa/connector-kit'
import {
  loseResponse,
  pathParams,
  RailError,
  type RailRoute,
  type RequestKey,
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

/** Routes for payments, payouts and queries. */
export const moneyRoutes = (parts: SimulatorParts): RailRoute[] => {
  const { store, baseUrl } = parts
  return [
    railRoute(parts, 'POST', 'payments', 'request a payment', async (provider, request, reply) => {
      const { account, ...order } = readOrder(provider, request, baseUrl)
      const result = await submitCollection(parts, { ...order, payer: account, returnUrl: null })
      return respond(result, request, reply)
    }),
    railRoute(parts, 'GET', 'payments/:reference', 'query a payment', (provider, request) =>
      answerQuery(store.findCollection, provider, request),
    ),
    railRoute(parts, 'POST', 'payouts', 'send a payout', async (provider, request, reply) => {
      const { account, ...order } = readOrder(provider, request, baseUrl)
      const result = await submitDisbursement(parts, { ...order, payee: account, refundOf: null })
      return respond(result, request, reply)
    }),
    railRoute(parts, 'GET', 'payouts/:reference', 'query a payout', (provider, request) =>
      answerQuery(store.findDisbursement, provider, request),
    ),
  ]
}

/** Returns a route for callers with this deployment's key. */
const railRoute = (
  parts: SimulatorParts,
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
): RailRoute => ({
  kind: 'raw',
  method,
  url: `/simulator/${exampleRail.name}/:providerId/${path}`,
  summary: `Simulated Example Rail: ${summary}`,
  showError: showRailError(parts.log),
  admit: (request) => enter(parts, request),
  handle: async (request, reply) => handle(enter(parts, request), request, reply),
})

/**
 * Returns the provider if the request has the key, and otherwise refuses the request. For an unknown provider,
 * the code differs from the code for an unknown reference.
 */
function enter({ catalogue, seals }: SimulatorParts, request: FastifyRequest): Provider {
  const provider = catalogue.find(pathParams(request).providerId ?? '')
  if (provider?.protocol !== exampleRail.name) throw new RailError(404, 'no_such_rail')
  if (!sameText(request.headers.authorization ?? '', `Bearer ${simulatorKey(seals)}`))
    throw new RailError(401, 'key_invalid')
  return provider
}

function respond(result: SubmitResult, request: FastifyRequest, reply: FastifyReply): unknown {
  if (result === 'fail') throw new RailError(500, 'internal_error')
  if (result === 'again') throw new RailError(409, 'duplicate_reference')
  return result === 'drop' ? loseResponse(request, reply) : reply.code(202).send({ status: 'pending' })
}

async function answerQuery(
  find: (key: RequestKey) => Promise<StoredCollection | StoredDisbursement | undefined>,
  { providerId }: Provider,
  request: FastifyRequest,
): Promise<object> {
  const { reference = '' } = pathParams(request)
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(reference))
    throw new RailError(400, 'request_invalid')
  const stored = await find({ providerId, reference })
  if (!stored) throw new RailError(404, 'not_found')
  return documentOf(stored)
}
