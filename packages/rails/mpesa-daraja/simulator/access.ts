import { basicAuthorization, type Provider } from '@pesewa/connector-kit'
import {
  providerIn,
  type RailRoute,
  railTokens,
  routesFor,
  type SimulatorParts,
} from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { mpesaDaraja } from '../protocol.ts'
import { simulatedBusiness } from '../test-credentials.ts'
import { DarajaError, showDarajaError } from './error.ts'

const tokenLifeSeconds = 3_599
const tokensOf = (parts: SimulatorParts) => railTokens(parts, 'simulator token', tokenLifeSeconds)

/** How a product refuses a token. Each product has its own format. */
export type TokenRefusal = { status: number; code: string }
export const expressRefusal: TokenRefusal = { status: 404, code: '404.001.03' }
export const payoutRefusal: TokenRefusal = { status: 401, code: '401.002.01' }
export const statusRefusal: TokenRefusal = { status: 400, code: '400.003.01' }

/** Creates routes of a product of the simulated M-Pesa, for callers with a token. */
export const darajaRoutesFor = (parts: SimulatorParts, { status, code }: TokenRefusal) =>
  routesFor({
    ...commonAccess(parts),
    enter(request) {
      const provider = providerOf(parts, request)
      if (!tokensOf(parts).isHeld(request, provider.providerId))
        throw new DarajaError(status, code, 'Invalid Access Token')
      return provider
    },
  })

const commonAccess = ({ log }: SimulatorParts) => ({
  protocol: mpesaDaraja.name,
  name: 'M-Pesa',
  showError: showDarajaError(log),
})

const providerOf = (parts: SimulatorParts, request: FastifyRequest): Provider =>
  providerIn(parts, request, mpesaDaraja.name, new DarajaError(404, '404.001.01', 'Resource not found'))

/** Returns the route that issues tokens. Their lifetime is sent as text, as in production. */
export const tokenRoute = (parts: SimulatorParts): RailRoute =>
  routesFor({ ...commonAccess(parts), enter: (request) => providerOf(parts, request) })(
    'GET',
    '/oauth/v1/generate',
    'issue an access token',
    ({ providerId }, { headers }) => {
      const { consumerKey, consumerSecret } = simulatedBusiness(parts.seals)
      if (!sameText(headers.authorization ?? '', basicAuthorization(consumerKey, consumerSecret)))
        throw new DarajaError(400, '400.008.01', 'Invalid Authentication passed')
      return { access_token: tokensOf(parts).issue(providerId), expires_in: String(tokenLifeSeconds) }
    },
  )
