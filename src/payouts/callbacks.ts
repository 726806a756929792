import type { FastifyRequest } from 'fastify'
import type { Scope } from '../platform/clock.ts'
import { limitAddress } from '../platform/http/address-limit.ts'
import type { RateLimiter } from '../platform/http/rate-limits.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { showId } from '../platform/ids.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Seals } from '../platform/seals.ts'
import type { Connectors } from '../providers/connectors.ts'
import { findPayout, type Payout } from './payouts.ts'

const purpose = 'payout callback'

/** Where a provider reports on one payout. The address is sealed: nobody but the provider was told it. */
export function callbackUrl(
  { baseUrl, seals }: { baseUrl: string; seals: Seals },
  scope: Scope,
  payoutId: string,
) {
  return `${baseUrl}/callbacks/payouts/${seals.seal(purpose, [scope.environment, scope.spaceId, payoutId].join(' '))}`
}

/**
 * A provider's callback. What it says is not believed: it only makes us ask the provider now instead of later. One that
 * is about another payout, amount or currency than its address makes us do nothing.
 */
export const callbackRoutes = (
  parts: Platform & { connectors: Connectors; limiter: RateLimiter },
): RawRoute[] => [
  {
    kind: 'raw',
    method: ['PUT', 'POST'],
    url: '/callbacks/payouts/:sealed',
    summary: 'A provider reports on a payout',
    admit: async (request) => {
      await limitAddress(parts, 'callback-limit', parts.settings.callbackLimit, request)
      readAddress(parts, request)
    },
    handle: async (request, reply) => {
      await receive(parts, request)
      return reply.code(200).send()
    },
  },
]

const suspectOf = (request: FastifyRequest) => ({
  security: true,
  requestId: request.id,
  address: request.ip,
})

/** Which payout the address was made for. */
function readAddress({ seals, log }: Platform, request: FastifyRequest): { scope: Scope; id: string } {
  const { sealed } = request.params as { sealed: string }
  const [environment, spaceId, id] = seals.open(purpose, sealed)?.split(' ') ?? []
  if ((environment === 'test' || environment === 'live') && spaceId && id)
    return { scope: { spaceId, environment }, id }
  log.warn(suspectOf(request), 'a callback to an address we never gave out')
  throw new Refusal('not_found')
}

async function receive(parts: Platform & { connectors: Connectors }, request: FastifyRequest): Promise<void> {
  const { db, log, connectors } = parts
  const suspect = suspectOf(request)
  const { scope, id } = readAddress(parts, request)
  const payout = await findPayout(db, scope, id)
  if (!payout) {
    log.warn({ ...suspect, payoutId: showId('payout', id) }, 'a callback about a payout that is not there')
    throw new Refusal('not_found')
  }
  const other = otherThanAsked(connectors, scope, payout, request.body)
  if (other) {
    const payoutId = showId('payout', id)
    log.warn({ ...suspect, payoutId, other }, 'a callback says something else than was asked')
    return
  }
  // One question at a time, however often the provider calls.
  await db.transaction((tx) =>
    enqueue(tx, 'payouts.query', { ...scope, payoutId: id }, `payouts.query ${id}`),
  )
}

/** What a callback tells that was not asked, as far as it can be read. */
function otherThanAsked(
  connectors: Connectors,
  { environment }: Scope,
  payout: Payout,
  body: unknown,
): 'reference' | 'amount' | 'currency' | undefined {
  const connector = connectors.connectorOf(payout.providerId, environment)
  if (!connector?.readReport || !isFields(body)) return undefined
  const { reference, amount, currency } = connector.readReport(body)
  if (reference !== undefined && reference !== payout.railReference) return 'reference'
  if (currency !== undefined && currency !== payout.currency) return 'currency'
  return amount !== undefined && amount !== payout.amount ? 'amount' : undefined
}

const isFields = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
