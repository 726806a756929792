import { basicAuthorization, type Provider } from '@pesewa/connector-kit'
import {
  providerIn,
  type RailHandle,
  type RailRoute,
  railTokens,
  routesFor,
  type SimulatorParts,
} from '@pesewa/connector-kit/simulator'
import type { FastifyRequest } from 'fastify'
import { mtnMomo } from '../protocol.ts'
import type { ProductName } from '../settings.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from '../test-credentials.ts'
import { badRequest, MtnError, showMtnError } from './error.ts'

const tokenLifeSeconds = 3_600
const tokensOf = (parts: SimulatorParts) => railTokens(parts, 'simulator token', tokenLifeSeconds)
const denied = (message: string) => new MtnError(401, 'ACCESS_DENIED', message)

/** Creates the routes of a product. Their paths are relative to the product's URL. */
export function productRoutesFor(parts: SimulatorParts, product: ProductName, enter = enterWithToken) {
  const route = routesFor({
    protocol: mtnMomo.name,
    name: `MTN MoMo, ${product}`,
    showError: showMtnError(parts.log),
    enter: (request) => enter(parts, product, request),
  })
  return (method: 'GET' | 'POST', path: string, summary: string, handle: RailHandle): RailRoute =>
    route(method, `/${product}${path}`, summary, handle)
}

const providerOf = (parts: SimulatorParts, request: FastifyRequest) =>
  providerIn(parts, request, mtnMomo.name, new MtnError(404, 'NO_SUCH_RAIL', 'This rail does not exist.'))

/** Returns the routes that issue tokens for the API user's Basic credentials. */
export function tokenRoutes(parts: SimulatorParts, product: ProductName): RailRoute[] {
  const route = productRoutesFor(parts, product, enterWithKey)
  return ['/token/', '/token'].map((path) =>
    route('POST', path, 'issue an access token', ({ providerId }, { headers }) => {
      // MTN's newer platform requires this header here, too.
      if (headers['x-target-environment'] !== simulatorTargetEnvironment)
        throw badRequest('Invalid or missing X-Target-Environment header')
      const { apiUser, apiKey } = simulatorCredentials(parts.seals, product)
      if (headers.authorization !== basicAuthorization(apiUser, apiKey))
        throw denied('The API user or its key is not valid.')
      return {
        access_token: tokensOf(parts).issue(`${providerId} ${product}`),
        token_type: 'access_token',
        expires_in: tokenLifeSeconds,
      }
    }),
  )
}

/**
 * Returns the provider if the request has the subscription key, a valid token for the product, and the correct
 * target environment. Otherwise, it refuses the request.
 */
function enterWithToken(parts: SimulatorParts, product: ProductName, request: FastifyRequest): Provider {
  const provider = enterWithKey(parts, product, request)
  if (!tokensOf(parts).isHeld(request, `${provider.providerId} ${product}`))
    throw denied('The access token is not valid or has expired.')
  if (request.headers['x-target-environment'] !== simulatorTargetEnvironment)
    throw new MtnError(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT', 'Access to target environment is forbidden.')
  return provider
}

/** Refuses requests without the product's subscription key. */
function enterWithKey(parts: SimulatorParts, product: ProductName, request: FastifyRequest): Provider {
  const provider = providerOf(parts, request)
  const { subscriptionKey } = simulatorCredentials(parts.seals, product)
  if (request.headers['ocp-apim-subscription-key'] !== subscriptionKey)
    throw denied('Access denied due to invalid subscription key.')
  return provider
}
