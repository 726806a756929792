import Type from 'typebox'
import { countryOfAddress } from './countries/origin.ts'
import { asksForFrontPage, type FrontPage, frontPageVary } from './docs/front-page.ts'
import { checkSchema } from './platform/db/migrate.ts'
import { checkVersion } from './platform/http/admission.ts'
import type { Gate } from './platform/http/gate.ts'
import type { RawRoute } from './platform/http/route.ts'
import { described, object } from './platform/http/shapes.ts'
import { currentRelease, currentVersion } from './platform/http/version.ts'
import type { Platform } from './platform/platform.ts'
import { Refusal } from './platform/refusals.ts'

const status = object(
  {
    platform: described(Type.String({ examples: ['Pesewa'] }), 'The name of the program.'),
    tagline: described(Type.String(), 'What it is about.', 'Payments that add up.'),
    status: described(
      object({
        environment: described(
          Type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['test', 'live', null] }),
          'The environment of the token, `test` or `live`; null without a valid one.',
        ),
        isAuthenticated: described(Type.Boolean(), 'Whether the token is valid.', false),
      }),
      'The caller.',
    ),
    apiVersion: Type.Unsafe<object | null>({
      ...object({
        id: described(Type.String({ examples: [currentVersion] }), 'The version that serves.'),
        release: described(
          object({
            name: described(Type.String(), 'What the release is called.', 'baobab'),
            date: described(Type.String({ format: 'date' }), 'The day of the release.'),
          }),
          'Which set of compatible versions it belongs to.',
        ),
        deprecated: described(Type.Boolean(), 'Whether it will end, so that clients should change over.'),
        apiSchemas: described(
          object({
            openApi: described(
              Type.String({ format: 'uri' }),
              'Where this document is.',
              'https://pay.example.com/openapi.json',
            ),
          }),
          'Descriptions for programs.',
        ),
      }),
      type: ['object', 'null'],
      description: 'null without a valid token.',
    }),
    requestOrigin: described(
      object({
        country: Type.String({ description: 'ZZ where it is not known.', examples: ['SL'] }),
        ipAddress: described(Type.String(), 'The network address of the caller.', '192.0.2.7'),
      }),
      'Where the request came from.',
    ),
  },
  { title: 'Status' },
)

const readyTimeoutMs = 2_000

/** `GET /`, which refuses nobody for a token and is a page in a browser, and the two addresses that a supervisor asks. */
export const rootRoutes = (platform: Platform, gate: Gate, frontPage: FrontPage): RawRoute[] => [
  {
    kind: 'raw',
    method: 'GET',
    url: '/',
    summary: 'Status: who calls, from where, which version; in a browser a page',
    result: status,
    reasons: ['version_unknown'],
    handle: async (request, reply) => {
      reply.header('vary', frontPageVary)
      if (asksForFrontPage(request)) return frontPage(request, reply)
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
    summary: 'Whether the process lives',
    handle: (_request, reply) => reply.send({ status: 'ok' }),
  },
  {
    kind: 'raw',
    method: 'GET',
    url: '/readyz',
    summary:
      'Whether the node does its work: database there, schema as expected, nothing stalled; else why not',
    handle: async (_request, reply) => {
      const { status, body } = await describeReadiness(platform)
      return reply.code(status).send(body)
    },
  },
]

/** The response of `/readyz`. */
export async function describeReadiness({
  db,
  readiness,
  clockWatch,
}: Pick<Platform, 'db' | 'readiness' | 'clockWatch'>) {
  const slow = new Promise<never>((_, reject) => setTimeout(reject, readyTimeoutMs).unref())
  const reason = await Promise.race([checkSchema(db.pool), slow]).then(
    () =>
      clockWatch.isAmiss()
        ? 'its clock differs from the database’s by more than a second'
        : readiness.trouble(),
    () => 'the database does not answer, or its schema is not as expected',
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
