import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { isEnvironment } from '../scope.ts'
import { cookie, readCookie } from './cookies.ts'
import type { CallerCredentials } from './gate.ts'

/** The cookie of a session. `''` takes it away. */
export const sessionCookie = (baseUrl: string, secret: string): string =>
  cookie(baseUrl, '', secret, { sameSite: 'Lax' })

export const sessionSecretIn = (request: Pick<FastifyRequest, 'headers'>, baseUrl: string) =>
  readCookie(request, baseUrl, '')

/** A token, where one is sent; else the cookie of a session, and the environment that the request names beside it. */
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
 * What changes something by a cookie must come from a page of ours. Browsers send `Origin` with every such request; it is compared
 * with `BASE_URL` and with nothing in the request, because `Host` is the sender's own word.
 */
export function checkOrigin({ method, headers }: FastifyRequest, baseUrl: string): void {
  if (method === 'GET' || method === 'HEAD') return
  const { origin: own } = new URL(baseUrl)
  if (headers.origin !== own)
    throw new Refusal('access_denied', {
      message: `A request that is authenticated by a cookie must come from a page of this service, at ${own}.`,
      details: [{ param: 'Origin', errors: [`must be ${own}`] }],
    })
}
