import type { FastifyRequest } from 'fastify'
import type { Scope } from '../platform/clock.ts'
import { limitAddress } from '../platform/http/address-limit.ts'
import type { RateLimiter } from '../platform/http/rate-limits.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Seals } from '../platform/seals.ts'

const purpose = 'payment callback'

/** Where a provider reports on one payment. The address is sealed: nobody but the provider was told it. */
export function callbackUrl(
  { baseUrl, seals }: { baseUrl: string; seals: Seals },
  scope: Scope,
  paymentId: string,
) {
  return `${baseUrl}/callbacks/payments/${seals.seal(purpose, [scope.environment, scope.spaceId, paymentId].join(' '))}`
}

/**
 * A provider's callback. What it says is not believed, not even read: it only makes us ask the provider now instead
 * of later. Rails differ in whether they PUT or POST.
 */
export const callbackRoutes = (parts: Platform & { limiter: RateLimiter }): RawRoute[] => [
  {
    kind: 'raw',
    method: ['PUT', 'POST'],
    url: '/callbacks/payments/:sealed',
    summary: 'A provider reports on a payment',
    admit: async (request) => {
      await limitAddress(parts, 'callback-limit', parts.settings.callbackLimit, request)
      readAddress(parts, request)
    },
    handle: async (request, reply) => {
      const { paymentId, ...scope } = readAddress(parts, request)
      await parts.db.transaction((tx) =>
        // One question at a time, however often the provider calls.
        enqueue(tx, 'payments.query', { ...scope, paymentId }, `payments.query ${paymentId}`),
      )
      return reply.code(200).send()
    },
  },
]

/** Which payment the address was made for. */
function readAddress({ seals, log }: Platform, request: FastifyRequest): Scope & { paymentId: string } {
  const { sealed } = request.params as { sealed: string }
  const [environment, spaceId, paymentId] = seals.open(purpose, sealed)?.split(' ') ?? []
  if ((environment === 'test' || environment === 'live') && spaceId && paymentId)
    return { spaceId, environment, paymentId }
  log.warn(
    { security: true, requestId: request.id, address: request.ip },
    'a callback to an address we never gave out',
  )
  throw new Refusal('not_found')
}
