import type { Platform } from '../platform.ts'
import type { Patience } from './connections.ts'
import type { ApiExchange } from './exchange.ts'
import type { Gate } from './gate.ts'
import type { StoredResponses } from './idempotency.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { Route } from './route.ts'

/** What the HTTP server is made of. */
export type ServerParts = {
  platform: Platform
  gate: Gate
  limiter: RateLimiter
  routes: Route[]
  eventData: StoredResponses['eventData']
  /** Is handed every request of a Space once it was responded to; must not throw. */
  recordExchange?(exchange: ApiExchange): void
  patience?: Patience
}

export const maxBodyBytes = 256 * 1024 // limit: a request body
/** Of what is no call of the API: forms, steps of a dialogue, what a rail reports. */
export const maxRawBodyBytes = 16 * 1024 // limit: the body of what is no call of the API
