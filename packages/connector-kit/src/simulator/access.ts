import { fromMajorUnits } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from '../provider.ts'
import type { SimulatorParts } from './parts.ts'
import { pathParams, type RailRoute } from './rail.ts'
import type { RailError } from './rail-error.ts'
import type { RequestKey } from './requests.ts'

/** Handles a request to a simulated provider. */
export type RailHandle = (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown

/** What the routes of a simulated rail have in common. */
type RailAccess = {
  protocol: string
  /** The rail's name in the summaries of its routes. */
  name: string
  showError: NonNullable<RailRoute['showError']>
  /** Returns the provider named in the path. It throws to refuse the caller. */
  enter(request: FastifyRequest): Provider
}

/** Returns a function that creates a rail's routes. Their paths are relative to the provider's URL. */
export const routesFor =
  ({ protocol, name, showError, enter }: RailAccess) =>
  (method: RailRoute['method'], path: string, summary: string, handle: RailHandle): RailRoute => ({
    kind: 'raw',
    method,
    url: `/simulator/${protocol}/:providerId${path}`,
    summary: `Simulated ${name}: ${summary}`,
    showError,
    admit: enter,
    handle: async (request, reply) => handle(enter(request), request, reply),
  })

/**
 * Returns the provider named in the path. If the rail has no such provider, throws `refusal`, whose code must
 * differ from the code for an unknown reference.
 */
export function providerIn(
  { catalogue }: SimulatorParts,
  request: FastifyRequest,
  protocol: string,
  refusal: RailError,
): Provider {
  const provider = catalogue.find(pathParams(request).providerId ?? '')
  if (provider?.protocol !== protocol) throw refusal
  return provider
}

/**
 * Issues and checks a simulated rail's access tokens. They are sealed, and not stored.
 *
 * @param purpose what the tokens are sealed for
 */
export const railTokens = ({ seals, clock }: SimulatorParts, purpose: string, lifeSeconds: number) => ({
  issue: (holder: string) => seals.seal(purpose, `${holder} ${clock.now().getTime() + lifeSeconds * 1_000}`),
  /** Returns whether a request has a token that was issued to this holder and has not expired. */
  isHeld({ headers }: FastifyRequest, holder: string): boolean {
    const [, token = ''] = /^Bearer ([\x21-\x7e]+)$/.exec(headers.authorization ?? '') ?? []
    const opened = seals.open(purpose, token)
    return (
      opened?.startsWith(`${holder} `) === true && Number(opened.split(' ').at(-1)) > clock.now().getTime()
    )
  },
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the key of a request. Throws `refusal` if its reference is not a UUID. */
export function keyWith({ providerId }: Provider, reference: unknown, refusal: RailError): RequestKey {
  if (typeof reference !== 'string' || !uuid.test(reference)) throw refusal
  return { providerId, reference }
}

/**
 * Converts an amount in major units to minor units. Throws `refusal` if it is not a positive whole number of
 * minor units, or more than simulated rails accept.
 */
export function minorUnitsOf(amount: string, currency: string, refusal: RailError): bigint {
  try {
    const value = fromMajorUnits(amount, currency)
    if (value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)) return value
  } catch {
    // Refused below, like zero and excessive amounts.
  }
  throw refusal
}
