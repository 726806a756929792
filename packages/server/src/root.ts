import Type from 'typebox'
import { countryOfAddress } from './countries/origin.ts'
import { type FrontPage, frontPageVary, prefersFrontPage } from './operations/docs/front-page.ts'
import { checkSchema } from './platform/db/migrate.ts'
import { checkVersion } from './platform/http/admission/admission.ts'
import type { Gate } from './platform/http/admission/gate.ts'
import { currentRelease, currentVersion } from './platform/http/admission/version.ts'
import type { RawRoute } from './platform/http/commands/route.ts'
import { object, withDescription } from './platform/http/shapes/shapes.ts'
import type { Platform } from './platform/platform.ts'
import { Refusal } from './platform/refusals.ts'

const status = object(
  {
    platform: withDescription(Type.String({ examples: ['Pesewa'] }), 'Name of the program.'),
    tagline: withDescription(Type.String(), 'Description of the program.', 'Payments that add up.'),
    status: withDescription(
      object({
        environment: withDescription(
          Type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['test', 'live', null] }),
          'Environment of the token, `test` or `live`; null without a valid token.',
        ),
        isAuthenticated: withDescription(Type.Boolean(), 'True if the token is valid.', false),
      }),
      'The caller.',
    ),
    apiVersion: Type.Unsafe<object | null>({
      ...object({
        id: withDescription(Type.String({ examples: [currentVersion] }), 'Version of the API.'),
        release: withDescription(
          object({
            name: withDescription(Type.String(), 'Name of the release.', 'baobab'),
            date: withDescription(Type.String({ format: 'date' }), 'Date of the release.'),
          }),
          'Group of compatible releases.',
        ),
        deprecated: withDescription(
          Type.Boolean(),
          'True if the release will be retired, so clients should upgrade.',
        ),
        apiSchemas: withDescription(
          object({
            openApi: withDescription(
              Type.String({ format: 'uri' }),
              'URL of this document.',
              'https://pay.example.com/openapi.json',
            ),
          }),
          'Machine-readable descriptions.',
        ),
      }),
      type: ['object', 'null'],
      description: 'null without a valid token.',
    }),
    requestOrigin: withDescription(
      object({
        country: Type.String({ description: 'Country code; ZZ if unknown.', examples: ['SL'] }),
        ipAddress: withDescription(Type.String(), 'IP address of the caller.', '192.0.2.7'),
      }),
      'Origin of the request.',
    ),
  },
  { title: 'Status' },
)

const readyTimeoutMs = 2_000

/**
 * Returns three routes: `GET /`, which needs no token and shows a page in browsers, and the two health
 * endpoints for supervisors.
 */
export const rootRoutes = (platform: Platform, gate: Gate, frontPage: FrontPage): RawRoute[] => [
  {
    kind: 'raw',
    method: 'GET',
    url: '/',
    summary: 'Retrieve the status of the service',
    about: 'Returns the caller, their origin and the version. Browsers get a page instead.',
    result: status,
    reasons: ['version_unknown'],
    handle: async (request, reply) => {
      reply.header('vary', frontPageVary)
      if (prefersFrontPage(request)) return frontPage(request, reply)
      checkVersion(request)
      const caller = await gate
        .authenticate({ authorization: request.headers.authorization }, request.ip)
        .catch((error) => {
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
    summary: 'Liveness of the process',
    handle: (_request, reply) => reply.send({ status: 'ok' }),
  },
  {
    kind: 'raw',
    method: 'GET',
    url: '/readyz',
    summary:
      'Readiness of the node: the database is reachable, its schema is as expected and nothing is stalled; otherwise, the reason',
    handle: async (_request, reply) => {
      const { status, body } = await describeReadiness(platform)
      return reply.code(status).send(body)
    },
  },
]

/** Returns the response of `/readyz`. */
export async function describeReadiness({
  db,
  readiness,
  clockWatch,
}: Pick<Platform, 'db' | 'readiness' | 'clockWatch'>) {
  const slow = new Promise<never>((_, reject) => setTimeout(reject, readyTimeoutMs).unref())
  const reason = await Promise.race([checkSchema(db.pool), slow]).then(
    () =>
      clockWatch.isWrong()
        ? 'this node’s clock differs from the database’s by more than a second'
        : readiness.trouble(),
    () => 'the database is not responding, or its schema is not as expected',
  )
  return reason === undefined
    ? { status: 200, body: { status: 'ok' } }
    : { status: 503, body: { status: 'unavailable', reason } }
}

function describeVersion(baseUrl: string) {
  const { name, date, deprecated } = currentRelease
  return {
    id: currentVersion,
    release: { name, date },
    deprecated,
    apiSchemas: { openApi: `${baseUrl}/openapi.json` },
  }
}
