import type { Provider } from '@pesewa/connector-kit'
import { pathParams, type RailRoute, type SimulatorParts } from '@pesewa/connector-kit/simulator'
import { fieldsOf, sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { airtelMoney } from '../protocol.ts'
import { testAccount } from '../test-account.ts'
import { GatewayError, OauthError, showAirtelError } from './error.ts'

const tokenLifeSeconds = 180
const tokenPurpose = 'simulator airtel token'

/**
 * Returns a route that serves all simulated countries. Callers need a token, and must send the country and its
 * currency.
 */
export const airtelRoute = (
  parts: SimulatorParts,
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
): RailRoute => ({
  ...openRoute(parts, method, path, summary),
  admit: (request) => enter(parts, request),
  handle: async (request, reply) => handle(enter(parts, request), request, reply),
})

/**
 * Returns the route that issues tokens. Tokens are encrypted, and not stored. In some countries, their lifetime
 * is sent as text.
 */
export const tokenRoute = (parts: SimulatorParts): RailRoute => ({
  ...openRoute(parts, 'POST', '/auth/oauth2/token', 'issue an access token'),
  admit: (request) => void providerOf(parts, request),
  handle: async (request) => {
    const { providerId, country } = providerOf(parts, request)
    const { client_id, client_secret, grant_type } = fieldsOf(request.body)
    const { clientId, clientSecret } = testAccount(parts.seals, country)
    if (client_id !== clientId || !sameText(String(client_secret), clientSecret))
      throw new OauthError(400, 'invalid_client', 'Invalid client authentication')
    if (grant_type !== 'client_credentials')
      throw new OauthError(400, 'unsupported_grant_type', 'Unsupported grant type')
    const endsAtMs = parts.clock.now().getTime() + tokenLifeSeconds * 1_000
    return {
      access_token: parts.seals.seal(tokenPurpose, `${providerId} ${endsAtMs}`),
      expires_in: country === 'KE' ? String(tokenLifeSeconds) : tokenLifeSeconds,
      token_type: 'bearer',
    }
  },
})

const openRoute = (parts: SimulatorParts, method: 'GET' | 'POST', path: string, summary: string) => ({
  kind: 'raw' as const,
  method,
  url: `/simulator/airtel-money/:providerId${path}`,
  summary: `Simulated Airtel Money: ${summary}`,
  showError: showAirtelError(parts.log),
})

function providerOf({ catalogue }: SimulatorParts, request: FastifyRequest): Provider {
  const { providerId = '' } = pathParams(request)
  const provider = catalogue.find(providerId)
  if (provider?.protocol !== airtelMoney.name) throw new GatewayError(404, 'ROUTER001', 'No such country')
  return provider
}

function enter(parts: SimulatorParts, request: FastifyRequest): Provider {
  const provider = providerOf(parts, request)
  const [, token = ''] = /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.authorization ?? '') ?? []
  const [providerId, endsAtMs] = parts.seals.open(tokenPurpose, token)?.split(' ') ?? []
  if (providerId !== provider.providerId || Number(endsAtMs) <= parts.clock.now().getTime())
    throw new OauthError(401, 'invalid_token', 'The access token is invalid or has expired')
  if (request.headers['x-country'] !== provider.country)
    throw new GatewayError(400, 'ROUTER005', 'Country code is missing or wrong')
  if (!provider.currencies.includes(String(request.headers['x-currency'])))
    throw new GatewayError(400, 'ROUTER006', 'Currency code is missing or wrong')
  return provider
}
