import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusals.ts'
import { isEnvironment } from '../../scope.ts'
import { cookie, readCookie } from './cookies.ts'
import type { CallerCredentials } from './gate.ts'

/** Returns the session cookie. An empty secret deletes it. */
export const sessionCookie = (baseUrl: string, secret: string): string =>
  cookie(baseUrl, '', secret, { sameSite: 'Lax' })

export const sessionSecretIn = (request: Pick<FastifyRequest, 'headers'>, baseUrl: string) =>
  readCookie(request, baseUrl, '')

/**
 * Returns the token if the request has one. Otherwise, returns the session cookie and the environment that the
 * request specifies.
 */
export function credentialsOf({ headers }: FastifyRequest, baseUrl: string): CallerCredentials {
  const { authorization } = headers
  const sessionSecret = sessionSecretIn({ headers }, baseUrl)
  if (authorization !== undefined || !sessionSecret) return { authorization }
  const named = String(headers['service-environment'] ?? 'test')
  if (!isEnvironment(named))
    throw new Refusal('arguments_invalid', {
      details: [{ param: 'Service-Environment', errors: ['must be test or live'] }],
    })
  return { sessionSecret, environment: named }
}

/**
 * Refuses a request that changes something, unless it comes from one of our own pages. This protects users who
 * are authenticated by a cookie. Browsers send `Origin` with every request that changes something. It is
 * compared with `BASE_URL`, because the sender controls everything else, including `Host`.
 */
export function checkOrigin({ method, headers }: FastifyRequest, baseUrl: string): void {
  if (method === 'GET' || method === 'HEAD') return
  const { origin: own } = new URL(baseUrl)
  if (headers.origin !== own)
    throw new Refusal('access_denied', {
      message: `A request authenticated by a cookie must come from this service, at ${own}.`,
      details: [{ param: 'Origin', errors: [`must be ${own}`] }],
    })
}
