import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { isEnvironment } from '../scope.ts'
import type { CallerCredentials } from './gate.ts'

/** A cookie of this prefix is one origin's own, over https: no sibling of its domain can put one there. Plain http has none. */
const secureName = '__Host-pesewa'
const plainName = 'pesewa'

/** The cookie of a session: the browser sends it to this origin only, and no script reads it. `''` takes it away. */
export function sessionCookie(baseUrl: string, secret: string): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax']
  if (isSecure(baseUrl)) attributes.push('Secure')
  if (secret === '') attributes.push('Max-Age=0')
  return [`${nameOf(baseUrl)}=${secret}`, ...attributes].join('; ')
}

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')
const nameOf = (baseUrl: string) => (isSecure(baseUrl) ? secureName : plainName)

/** A token, where one is sent; else the cookie of a session, and the environment that the request names beside it. */
export function credentialsOf({ headers }: FastifyRequest, baseUrl: string): CallerCredentials {
  const { authorization } = headers
  const sessionSecret = cookieOf(headers.cookie, nameOf(baseUrl))
  if (authorization !== undefined || !sessionSecret) return { authorization }
  const named = String(headers['service-environment'] ?? 'test')
  if (!isEnvironment(named))
    throw new Refusal('arguments_invalid', {
      details: [{ param: 'Service-Environment', errors: ['must be test or live'] }],
    })
  return { sessionSecret, environment: named }
}

const cookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** What changes something by a cookie must come from a page of ours: browsers say where a request comes from. */
export function checkOrigin({ method, headers }: FastifyRequest, baseUrl: string): void {
  if (method === 'GET' || method === 'HEAD') return
  const { origin, host } = headers
  const isOurs =
    origin === undefined
      ? headers['sec-fetch-site'] === 'same-origin'
      : origin === new URL(baseUrl).origin || (URL.canParse(origin) && new URL(origin).host === host)
  if (!isOurs)
    throw new Refusal('access_denied', {
      message: 'A request that is authenticated by a cookie must come from a page of this service.',
    })
}
