import { countryOfAddress } from './countries/origin.ts'
import { checkSchema } from './platform/db/migrate.ts'
import type { Gate } from './platform/http/gate.ts'
import type { RawRoute } from './platform/http/route.ts'
import { currentRelease, currentVersion } from './platform/http/version.ts'
import type { Platform } from './platform/platform.ts'
import { Refusal } from './platform/refusals.ts'

const readyTimeoutMs = 2_000

/** `GET /`, which never refuses, and the two addresses that a supervisor asks. */
export const rootRoutes = (platform: Platform, gate: Gate): RawRoute[] => [
  {
    kind: 'raw',
    method: 'GET',
    url: '/',
    summary: 'Status: who calls, from where, which version',
    handle: async (request, reply) => {
      const caller = await gate.authenticate(request.headers.authorization, request.ip).catch((error) => {
        if (error instanceof Refusal) return undefined
        throw error
      })
      return reply.header('cache-control', 'no-store').send({
        platform: 'Pesewa',
        tagline: 'Payments that add up.',
        status: { environment: caller?.environment ?? null, isAuthenticated: caller !== undefined },
        apiVersion: caller ? describeVersion(platform.baseUrl) : null,
        requestOrigin: { country: countryOfAddress(request.ip), ipAddress: request.ip },
      })
    },
  },
  {
    kind: 'raw',
    method: 'GET',
    url: '/healthz',
    summary: 'Whether the process lives',
    handle: (_request, reply) => reply.send({ status: 'ok' }),
  },
  {
    kind: 'raw',
    method: 'GET',
    url: '/readyz',
    summary: 'Whether the node can do its work: database there, schema and clock as expected',
    handle: async (_request, reply) => {
      const slow = new Promise<never>((_, reject) => setTimeout(reject, readyTimeoutMs).unref())
      const isReady = await Promise.race([checkSchema(platform.db.pool), slow]).then(
        () => true,
        () => false,
      )
      if (isReady && platform.clockWatch.isAmiss())
        return reply.code(503).send({ status: 'unavailable', reason: 'clock' })
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' })
    },
  },
]

function describeVersion(baseUrl: string) {
  const { name, date, deprecated } = currentRelease
  return {
    id: currentVersion,
    release: { name, date },
    deprecated,
    apiSchemas: { openApi: `${baseUrl}/openapi.json` },
  }
}
