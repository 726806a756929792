import type { Platform } from '../../platform.ts'
import type { Scope } from '../../scope.ts'
import type { StoredResponses } from '../commands/idempotency.ts'
import type { Route } from '../commands/route.ts'
import type { ConnectionTimeouts } from './connections.ts'
import type { ApiExchange } from './exchange.ts'
import type { Gate } from './gate.ts'

/** The dependencies of the HTTP server. */
export type ServerParts = {
  platform: Platform
  gate: Gate
  routes: Route[]
  eventData: StoredResponses['eventData']
  /** Returns the time zone in which exports show times. */
  timeZoneOf(scope: Scope): Promise<string>
  /** Called after the response to each request in a Space. It must not throw. */
  recordExchange?(exchange: ApiExchange): void
  timeouts?: ConnectionTimeouts
}

export const maxBodyBytes = 256 * 1024 // limit: size of a request body
/** Applies to requests outside the API: forms, steps of USSD sessions and provider callbacks. */
export const maxRawBodyBytes = 16 * 1024 // limit: size of a request body outside the API
