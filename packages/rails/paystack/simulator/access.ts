import type { Provider } from '@pesewa/connector-kit'
import { pathParams, type RailRoute, type SimulatorParts } from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { paystack } from '../protocol.ts'
import { simulatedSecretKey } from '../test-keys.ts'
import { badRequest, PaystackError, showPaystackError } from './error.ts'

/**
 * Returns a route of the simulated Paystack, for callers with the secret key. Each provider has its own
 * simulated Paystack.
 */
export const paystackRoute = (
  parts: SimulatorParts,
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
): RailRoute => ({
  kind: 'raw',
  method,
  url: `/simulator/paystack/:providerId/${path}`,
  summary: `Simulated Paystack: ${summary}`,
  showError: showPaystackError(parts.log),
  admit: (request) => enter(parts, request),
  handle: async (request, reply) => handle(enter(parts, request), request, reply),
})

function enter({ catalogue, seals }: SimulatorParts, request: FastifyRequest): Provider {
  const { providerId = '' } = pathParams(request)
  const provider = catalogue.find(providerId)
  const isReached = provider?.reachedBy?.some(({ protocol }) => protocol === paystack.name)
  if (!provider || !isReached) throw new PaystackError(404, 'no_such_rail', 'This rail does not exist.')
  if (!sameText(request.headers.authorization ?? '', `Bearer ${simulatedSecretKey(seals)}`))
    throw new PaystackError(401, 'invalid_Key', 'Invalid key')
  return provider
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Validates and returns a reference. The real API also accepts references in other forms, but the simulator
 * accepts only UUIDs.
 */
export function readReference(reference: unknown): string {
  if (typeof reference !== 'string' || !uuid.test(reference)) throw badRequest('Reference is invalid')
  return reference
}

export const keyOf = ({ providerId }: Provider, request: FastifyRequest) => ({
  providerId,
  reference: readReference(pathParams(request).reference),
})
