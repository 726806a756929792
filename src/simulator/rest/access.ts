import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import { sameText } from '../../platform/seals.ts'
import { railKey } from '../../rails/connections/protocols/rest/test-keys.ts'
import type { Provider } from '../../rails/connections/provider.ts'
import type { SimulatorParts } from '../engine/parts.ts'
import { RailError, showRailError } from '../engine/rail-error.ts'
import type { RestVariant } from './variant.ts'

/** Returns a route of the simulated banks and wallets, or of the acquirer, for callers with the key. */
export const railRoute = (
  parts: SimulatorParts,
  { protocol, who }: RestVariant,
  method: 'GET' | 'PUT',
  path: string,
  summary: string,
  handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
): RawRoute => ({
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
