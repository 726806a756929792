import type { Provider } from '@pesewa/connector-kit'
import { keyWith, pathParams, routesFor, type SimulatorParts } from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { paystack } from '../protocol.ts'
import { simulatedSecretKey } from '../test-keys.ts'
import { badRequest, PaystackError, showPaystackError } from './error.ts'

/**
 * Creates routes of the simulated Paystack, for callers with the secret key. Each provider has its own simulated
 * Paystack.
 */
export const paystackRoutesFor = (parts: SimulatorParts) =>
  routesFor({
    protocol: paystack.name,
    name: 'Paystack',
    showError: showPaystackError(parts.log),
    enter: (request) => enter(parts, request),
  })

function enter({ catalogue, seals }: SimulatorParts, request: FastifyRequest): Provider {
  const provider = catalogue.find(pathParams(request).providerId ?? '')
  const isReached = provider?.reachedBy?.some(({ protocol }) => protocol === paystack.name)
  if (!provider || !isReached) throw new PaystackError(404, 'no_such_rail', 'This rail does not exist.')
  if (!sameText(request.headers.authorization ?? '', `Bearer ${simulatedSecretKey(seals)}`))
    throw new PaystackError(401, 'invalid_Key', 'Invalid key')
  return provider
}

/**
 * Returns the key of a request. The real API also accepts references in other forms, but the simulator accepts
 * only UUIDs.
 */
export const keyOf = (provider: Provider, reference: unknown) =>
  keyWith(provider, reference, badRequest('Reference is invalid'))
