import type { Provider } from '@pesewa/connector-kit'
import {
  pathParams,
  RailError,
  type RailRoute,
  type SimulatorParts,
  showRailError,
} from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { railKey } from '../test-keys.ts'
import type { RestVariant } from './variant.ts'

/** Returns a route of the simulated banks and wallets, or of the acquirer, for callers with the key. */
export const railRoute = (
  parts: SimulatorParts,
  { protocol, who }: RestVariant,
  method: 'GET' | 'PUT',
  path: string,
  summary: string,
  handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
): RailRoute => ({
  kind: 'raw',
  method,
  url: `/simulator/${protocol}/:providerId/${path}`,
  summary: `Simulated ${who}: ${summary}`,
  showError: showRailError(parts.log),
  admit: (request) => enter(parts, request, isOf(protocol)),
  handle: async (request, reply) => handle(enter(parts, request, isOf(protocol)), request, reply),
})

const isOf = (protocol: string) => (provider: Provider) => provider.protocol === protocol

/**
 * Returns the provider if the request has the key, and otherwise refuses the request. If the provider belongs
 * to another rail, the response is a 404 whose code differs from the code for an unknown reference.
 */
export function enter(
  { catalogue, seals }: SimulatorParts,
  request: FastifyRequest,
  isMeant: (provider: Provider) => boolean,
): Provider {
  const { providerId = '' } = pathParams(request)
  const provider = catalogue.find(providerId)
  if (!provider || !isMeant(provider)) throw new RailError(404, 'no_such_rail')
  if (!sameText(request.headers.authorization ?? '', `Bearer ${railKey(seals)}`))
    throw new RailError(401, 'key_invalid')
  return provider
}
