import { createHash } from 'node:crypto'
import { basicAuthorization, type Provider } from '@pesewa/connector-kit'
import {
  providerIn,
  type RailHandle,
  type RailRoute,
  railTokens,
  routesFor,
  type SimulatorParts,
} from '@pesewa/connector-kit/simulator'
import { fieldsOf, sameText } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { gsma } from '../protocol.ts'
import { simulatorCredentials } from '../test-credentials.ts'
import { formatError, GsmaRailError, noSuchRail, showGsmaError } from './error.ts'

const tokenLifeSeconds = 3_600
const tokensOf = (parts: SimulatorParts) => railTokens(parts, 'simulated wallet token', tokenLifeSeconds)
const denied = () => new GsmaRailError('authorisation', 'clientAuthorisationError')

/** Creates routes for callers with this installation's credentials. */
export function walletRoutesFor(parts: SimulatorParts, enter = enterWithToken) {
  const route = routesFor({
    protocol: gsma.name,
    name: 'GSMA wallet',
    showError: showGsmaError(parts.log),
    enter: (request) => enter(parts, request),
  })
  return (method: 'GET' | 'POST', path: string, summary: string, handle: RailHandle): RailRoute =>
    route(method, path, summary, (provider, request, reply) => {
      requireHash(request)
      return handle(provider, request, reply)
    })
}

/** Returns the route that issues a token for the client's Basic credentials. */
export const tokenRoute = (parts: SimulatorParts) =>
  walletRoutesFor(parts, walletOf)(
    'POST',
    '/oauth/accesstoken',
    'issue an access token',
    ({ providerId }, request) => {
      const { key, secret } = simulatorCredentials(parts.seals)
      if (!sameText(request.headers.authorization ?? '', basicAuthorization(key, secret))) throw denied()
      if (fieldsOf(request.body).grant_type !== 'client_credentials') throw formatError()
      return {
        access_token: tokensOf(parts).issue(providerId),
        token_type: 'Bearer',
        expires_in: tokenLifeSeconds,
      }
    },
  )

const walletOf = (parts: SimulatorParts, request: FastifyRequest) =>
  providerIn(parts, request, gsma.name, noSuchRail())

/** Returns the provider if the request has a valid token or the API key, and otherwise refuses the request. */
function enterWithToken(parts: SimulatorParts, request: FastifyRequest): Provider {
  const provider = walletOf(parts, request)
  const { 'x-api-key': key = '' } = request.headers
  const isKnown = sameText(String(key), simulatorCredentials(parts.seals).apiKey)
  if (!isKnown && !tokensOf(parts).isHeld(request, provider.providerId)) throw denied()
  return provider
}

/** Refuses a request whose hash does not match its body. A request without a hash is accepted. */
function requireHash({ headers, rawBody = Buffer.alloc(0) }: FastifyRequest): void {
  const { 'x-content-hash': hash } = headers
  if (hash !== undefined && hash !== createHash('sha256').update(rawBody).digest('hex')) throw formatError()
}
