import type { Provider } from '@pesewa/connector-kit'
import { pathParams, type SimulatorParts } from '@pesewa/connector-kit/simulator'
import type { FastifyRequest } from 'fastify'
import { mtnMomo } from '../protocol.ts'
import type { ProductName } from '../settings.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from '../test-credentials.ts'
import { badRequest, MtnError } from './error.ts'

const tokenLifeSeconds = 3_600
const tokenPurpose = 'simulator token'
const denied = (message: string) => new MtnError(401, 'ACCESS_DENIED', message)

/**
 * Returns the provider named in the path. If this rail has no such provider, the request is refused with a 404
 * response. Its code differs from the code for an unknown reference, so that the two cannot be confused.
 */
function providerOf({ catalogue }: SimulatorParts, request: FastifyRequest): Provider {
  const { providerId = '' } = pathParams(request)
  const provider = catalogue.find(providerId)
  if (provider?.protocol !== mtnMomo.name)
    throw new MtnError(404, 'NO_SUCH_RAIL', 'This rail does not exist.')
  return provider
}

/** Returns a token for the API user's Basic credentials. Tokens are encrypted, and not stored. */
export function issueToken(parts: SimulatorParts, product: ProductName, request: FastifyRequest): object {
  const { providerId } = providerOf(parts, request)
  requireSubscription(parts, product, request)
  // MTN's newer platform requires this header here, too.
  if (request.headers['x-target-environment'] !== simulatorTargetEnvironment)
    throw badRequest('Invalid or missing X-Target-Environment header')
  const { apiUser, apiKey } = simulatorCredentials(parts.seals, product)
  const basic = `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`
  if (request.headers.authorization !== basic) throw denied('The API user or its key is not valid.')
  const endsAtMs = parts.clock.now().getTime() + tokenLifeSeconds * 1_000
  return {
    access_token: parts.seals.seal(tokenPurpose, `${providerId} ${product} ${endsAtMs}`),
    token_type: 'access_token',
    expires_in: tokenLifeSeconds,
  }
}

/**
 * Returns the provider if the request has the subscription key, a valid token for the product, and the correct
 * target environment. Otherwise, it refuses the request.
 */
export function enter(parts: SimulatorParts, product: ProductName, request: FastifyRequest): Provider {
  const provider = providerOf(parts, request)
  requireSubscription(parts, product, request)
  const [, token = ''] = /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.authorization ?? '') ?? []
  const [providerId, tokenProduct, endsAtMs] = parts.seals.open(tokenPurpose, token)?.split(' ') ?? []
  const isOfProduct = providerId === provider.providerId && tokenProduct === product
  if (!isOfProduct || Number(endsAtMs) <= parts.clock.now().getTime())
    throw denied('The access token is not valid or has expired.')
  if (request.headers['x-target-environment'] !== simulatorTargetEnvironment)
    throw new MtnError(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT', 'Access to target environment is forbidden.')
  return provider
}

/** Refuses requests without the product's subscription key. */
export function requireSubscription(
  { seals }: SimulatorParts,
  product: ProductName,
  request: FastifyRequest,
): void {
  if (request.headers['ocp-apim-subscription-key'] !== simulatorCredentials(seals, product).subscriptionKey)
    throw denied('Access denied due to invalid subscription key.')
}
