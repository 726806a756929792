import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { eventData } from './events/events.ts'
import { realClock } from './platform/clock.ts'
import type { Database } from './platform/db/database.ts'
import { createHttpServer } from './platform/http/server/server.ts'
import { createLog } from './platform/log.ts'
import { createSeals } from './platform/seals.ts'
import { hasSecretKey, readSecretKey } from './platform/secret-key.ts'
import { openPlatformOn } from './platform-parts.ts'
import { findReconciled, type OperatorParts, operatorRoutesOf, type Settings } from './slices.ts'
import { createCommandGate } from './tenants/spaces/command-gate.ts'
import { timeZoneOfSpace } from './tenants/spaces/time-zone.ts'

export type OperatorApi = {
  /** Calls a route like the global `fetch`. Throws the error of a call that failed instead of being refused. */
  fetch: typeof fetch
  close(): Promise<void>
}

/**
 * Opens the routes for operators without a server: they can be called only in this process, on behalf of the
 * named operator. No background work starts. Only the routes that are called are loaded.
 */
export function openOperatorApi(settings: Settings, db: Database, operator: string): OperatorApi {
  const opened = new AsyncDisposableStack()
  const quiet = { ...settings, rateLimits: 'off' as const }
  // A secret key is created only if it is needed, because the service may have another one.
  const secretKey = hasSecretKey(settings) ? readSecretKey(settings) : randomUUID()
  const log = createLog('silent')
  const platform = openPlatformOn({ settings: quiet, db, log, clock: realClock }, opened, { secretKey })
  const parts: OperatorParts = {
    ...platform,
    log: createLog(settings.logLevel),
    findReconciled,
    get seals() {
      return createSeals(readSecretKey(settings))
    },
    async rails() {
      const { openProviders } = await import('./rails/providers/providers.ts')
      const providers = openProviders(platform)
      opened.defer(() => providers.connectors.close())
      return providers
    },
    openFollowers: async () => (await import('./followers.ts')).openFollowers(parts),
  }
  const gate = createCommandGate(operator)
  const servers = new Map<string, Promise<FastifyInstance>>()
  const failures = new WeakMap<object, unknown>()

  async function openServer(segment: string): Promise<FastifyInstance> {
    const routes = await operatorRoutesOf(segment, parts)
    const server = await createHttpServer({
      platform,
      gate,
      routes,
      eventData,
      timeZoneOf: (scope) => timeZoneOfSpace(platform.db, scope),
    })
    server.addHook('onError', (request, _reply, error, done) => {
      failures.set(request.raw, error)
      done()
    })
    opened.defer(() => server.close())
    return server
  }

  return {
    async fetch(input, { method = 'GET', headers, body } = {}) {
      const url = String(input)
      const [, segment = ''] = /\/v1\/installation\/([^/?]+)/.exec(url) ?? []
      const opening = servers.get(segment) ?? openServer(segment)
      servers.set(segment, opening)
      const server = await opening
      const response = await server.inject({
        url,
        // The SDK sends only methods that the routes have.
        method: method as 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(body && { payload: String(body) }),
      })
      if (response.statusCode >= 500) throw failures.get(response.raw.req) ?? new Error(response.body)
      return new Response(response.body, { status: response.statusCode })
    },
    close: () => opened.disposeAsync(),
  }
}
