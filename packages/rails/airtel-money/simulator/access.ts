import type { Provider } from '@pesewa/connector-kit'
import {
  providerIn,
  type RailRoute,
  railTokens,
  routesFor,
  type SimulatorParts,
} from '@pesewa/connector-kit/simulator'
import { fieldsOf, sameText } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { airtelMoney } from '../protocol.ts'
import { testAccount } from '../test-account.ts'
import { GatewayError, OauthError, showAirtelError } from './error.ts'

const tokenLifeSeconds = 180
const tokensOf = (parts: SimulatorParts) => railTokens(parts, 'simulator airtel token', tokenLifeSeconds)

/**
 * Creates routes that serve all simulated countries. Callers need a token, and must send the country and its
 * currency.
 */
export const airtelRoutesFor = (parts: SimulatorParts, enter = enterWithToken) =>
  routesFor({
    protocol: airtelMoney.name,
    name: 'Airtel Money',
    showError: showAirtelError(parts.log),
    enter: (request) => enter(parts, request),
  })

/** Returns the route that issues tokens. In some countries, their lifetime is sent as text. */
export const tokenRoute = (parts: SimulatorParts): RailRoute =>
  airtelRoutesFor(parts, providerOf)(
    'POST',
    '/auth/oauth2/token',
    'issue an access token',
    ({ providerId, country }, request) => {
      const { client_id, client_secret, grant_type } = fieldsOf(request.body)
      const { clientId, clientSecret } = testAccount(parts.seals, country)
      if (client_id !== clientId || !sameText(String(client_secret), clientSecret))
        throw new OauthError(400, 'invalid_client', 'Invalid client authentication')
      if (grant_type !== 'client_credentials')
        throw new OauthError(400, 'unsupported_grant_type', 'Unsupported grant type')
      return {
        access_token: tokensOf(parts).issue(providerId),
        expires_in: country === 'KE' ? String(tokenLifeSeconds) : tokenLifeSeconds,
        token_type: 'bearer',
      }
    },
  )

const providerOf = (parts: SimulatorParts, request: FastifyRequest) =>
  providerIn(parts, request, airtelMoney.name, new GatewayError(404, 'ROUTER001', 'No such country'))

function enterWithToken(parts: SimulatorParts, request: FastifyRequest): Provider {
  const provider = providerOf(parts, request)
  if (!tokensOf(parts).isHeld(request, provider.providerId))
    throw new OauthError(401, 'invalid_token', 'The access token is invalid or has expired')
  if (request.headers['x-country'] !== provider.country)
    throw new GatewayError(400, 'ROUTER005', 'Country code is missing or wrong')
  if (!provider.currencies.includes(String(request.headers['x-currency'])))
    throw new GatewayError(400, 'ROUTER006', 'Currency code is missing or wrong')
  return provider
}
