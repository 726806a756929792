import type { Provider } from '@pesewa/connector-kit'
import { pathParams, type RailRoute, type SimulatorParts } from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mpesaDaraja } from '../protocol.ts'
import { simulatedBusiness } from '../test-credentials.ts'
import { DarajaError, showDarajaError } from './error.ts'

const tokenLifeSeconds = 3_599
const tokenPurpose = 'simulator token'

/** How a product refuses a token. Each product has its own format. */
export type TokenRefusal = { status: number; code: string }
export const expressRefusal: TokenRefusal = { status: 404, code: '404.001.03' }
export const payoutRefusal: TokenRefusal = { status: 401, code: '401.002.01' }
export const statusRefusal: TokenRefusal = { status: 400, code: '400.003.01' }

export type DarajaHandle = (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown

/** Returns a route of the simulated M-Pesa, for callers with a token. */
export const darajaRoute = (
  parts: SimulatorParts,
  path: string,
  summary: string,
  refusal: TokenRefusal,
  handle: DarajaHandle,
): RailRoute => ({
  ...route(parts, 'POST', path, summary),
  admit: (request) => enter(parts, refusal, request),
  handle: async (request, reply) => handle(enter(parts, refusal, request), request, reply),
})

export const tokenRoute = (parts: SimulatorParts): RailRoute => ({
  ...route(parts, 'GET', '/oauth/v1/generate', 'issue an access token'),
  admit: (request) => providerOf(parts, request),
  handle: async (request) => issueToken(parts, request),
})

const route = (parts: SimulatorParts, method: 'GET' | 'POST', path: string, what: string) =>
  ({
    kind: 'raw',
    method,
    url: `/simulator/mpesa-daraja/:providerId${path}`,
    summary: `Simulated M-Pesa: ${what}`,
    showError: showDarajaError(parts.log),
  }) as const

function providerOf({ catalogue }: SimulatorParts, request: FastifyRequest): Provider {
  const { providerId = '' } = pathParams(request)
  const provider = catalogue.find(providerId)
  if (provider?.protocol !== mpesaDaraja.name) throw new DarajaError(404, '404.001.01', 'Resource not found')
  return provider
}

/** Returns a new token. Tokens are encrypted, and not stored. Their lifetime is sent as text, as in production. */
function issueToken(parts: SimulatorParts, request: FastifyRequest): object {
  const { providerId } = providerOf(parts, request)
  const { consumerKey, consumerSecret } = simulatedBusiness(parts.seals)
  const basic = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  if (!sameText(request.headers.authorization ?? '', basic))
    throw new DarajaError(400, '400.008.01', 'Invalid Authentication passed')
  const endsAtMs = parts.clock.now().getTime() + tokenLifeSeconds * 1_000
  return {
    access_token: parts.seals.seal(tokenPurpose, `${providerId} ${endsAtMs}`),
    expires_in: String(tokenLifeSeconds),
  }
}

function enter(parts: SimulatorParts, { status, code }: TokenRefusal, request: FastifyRequest): Provider {
  const provider = providerOf(parts, request)
  const [, token = ''] = /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.authorization ?? '') ?? []
  const [providerId, endsAtMs] = parts.seals.open(tokenPurpose, token)?.split(' ') ?? []
  if (providerId !== provider.providerId || Number(endsAtMs) <= parts.clock.now().getTime())
    throw new DarajaError(status, code, 'Invalid Access Token')
  return provider
}
