import type { Provider } from '@pesewa/connector-kit'
import {
  pathParams,
  RailError,
  routesFor,
  type SimulatorParts,
  showRailError,
} from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { railKey } from '../test-keys.ts'
import type { RestVariant } from './variant.ts'

/** Creates routes of the simulated banks and wallets, or of the acquirer, for callers with the key. */
export const restRoutes = (parts: SimulatorParts, { protocol, who }: RestVariant) =>
  routesFor({
    protocol,
    name: who,
    showError: showRailError(parts.log),
    enter: (request) => enter(parts, request, (provider) => provider.protocol === protocol),
  })

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
