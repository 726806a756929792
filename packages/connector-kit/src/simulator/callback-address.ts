import type { RailError } from './rail-error.ts'

/**
 * Returns whether a simulated rail may call a URL. The URL must be on the service's host or belong to the
 * receiver of `pesewa rail-test`, which runs next to the service. Callers need a key in order to set a URL, and
 * only this installation has that key.
 */
export function isRegistered(address: string, baseUrl: string): boolean {
  const url = URL.parse(address)
  return url?.host === new URL(baseUrl).host || isRailTest(url)
}

const isRailTest = (url: URL | null) =>
  url?.protocol === 'http:' && url.hostname === '127.0.0.1' && url.pathname.startsWith('/rail-test/')

/**
 * Returns the callback URL in a header, or null if there is none. Throws `refusal` if a rail may not call the
 * URL.
 */
export function callbackUrlOf(
  header: string | string[] | undefined,
  baseUrl: string,
  refusal: RailError,
): string | null {
  if (header === undefined) return null
  const url = String(header)
  if (!isRegistered(url, baseUrl)) throw refusal
  return new URL(url).href
}
