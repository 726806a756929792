import type { FastifyRequest } from 'fastify'

type CookieRules = { sameSite: 'Lax' | 'Strict'; maxAgeSeconds?: number }

/**
 * A cookie for the `Set-Cookie` header: the browser sends it to this origin only, and no script reads it. `''` as its value takes it away.
 * `name` continues `pesewa`.
 */
export function cookie(baseUrl: string, name: string, value: string, rules: CookieRules): string {
  const maxAge = value === '' ? 0 : rules.maxAgeSeconds
  return [
    `${nameOf(baseUrl, name)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${rules.sameSite}`,
    ...(isSecure(baseUrl) ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ')
}

export function readCookie(
  { headers }: Pick<FastifyRequest, 'headers'>,
  baseUrl: string,
  name: string,
): string | undefined {
  const start = `${nameOf(baseUrl, name)}=`
  return headers.cookie
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(start))
    ?.slice(start.length)
}

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')
/** A cookie of the prefix `__Host-` is one origin's own, over https: no sibling of its domain can put one there. Plain http has none. */
const nameOf = (baseUrl: string, name: string) => `${isSecure(baseUrl) ? '__Host-' : ''}pesewa${name}`
