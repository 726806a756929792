import { createHash } from 'node:crypto'
import type { Provider } from '@pesewa/connector-kit'
import { pathParams, type SimulatorParts } from '@pesewa/connector-kit/simulator'
import { fieldsOf, sameText } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { gsma } from '../protocol.ts'
import { simulatorCredentials } from '../test-credentials.ts'
import { formatError, GsmaRailError, noSuchRail } from './error.ts'

const tokenLifeSeconds = 3_600
const tokenPurpose = 'simulated wallet token'
const denied = () => new GsmaRailError('authorisation', 'clientAuthorisationError')

/** Returns the provider named in the path. */
export function walletOf({ catalogue }: SimulatorParts, request: FastifyRequest): Provider {
  const { providerId = '' } = pathParams(request)
  const provider = catalogue.find(providerId)
  if (provider?.protocol !== gsma.name) throw noSuchRail()
  return provider
}

/** Returns a token for the client's Basic credentials. Tokens are encrypted, and not stored. */
export function issueToken(parts: SimulatorParts, request: FastifyRequest): object {
  const { providerId } = walletOf(parts, request)
  const { key, secret } = simulatorCredentials(parts.seals)
  const basic = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
  if (!sameText(request.headers.authorization ?? '', basic)) throw denied()
  if (fieldsOf(request.body).grant_type !== 'client_credentials') throw formatError()
  const endsAtMs = parts.clock.now().getTime() + tokenLifeSeconds * 1_000
  return {
    access_token: parts.seals.seal(tokenPurpose, `${providerId} ${endsAtMs}`),
    token_type: 'Bearer',
    expires_in: tokenLifeSeconds,
  }
}

/** Returns the provider if the request has a valid token or the API key, and otherwise refuses the request. */
export function enter(parts: SimulatorParts, request: FastifyRequest): Provider {
  const provider = walletOf(parts, request)
  const { 'x-api-key': key = '' } = request.headers
  const isKnown = sameText(String(key), simulatorCredentials(parts.seals).apiKey)
  if (!isKnown && !hasToken(parts, provider, request)) throw denied()
  return provider
}

/** Refuses a request whose hash does not match its body. A request without a hash is accepted. */
export function requireHash({ headers, rawBody = Buffer.alloc(0) }: FastifyRequest): void {
  const { 'x-content-hash': hash } = headers
  if (hash !== undefined && hash !== createHash('sha256').update(rawBody).digest('hex')) throw formatError()
}

function hasToken(
  { seals, clock }: SimulatorParts,
  { providerId }: Provider,
  { headers }: FastifyRequest,
): boolean {
  const [, token = ''] = /^Bearer ([\x21-\x7e]+)$/.exec(headers.authorization ?? '') ?? []
  const [of, endsAtMs] = seals.open(tokenPurpose, token)?.split(' ') ?? []
  return of === providerId && Number(endsAtMs) > clock.now().getTime()
}
