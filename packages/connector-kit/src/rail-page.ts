import { isRailAddress } from './connection-fields.ts'
import type { UnknownOutcome } from './connector.ts'

const maxPageUrlLength = 2_000

/**
 * Returns the URL of a rail's page, or `undefined` if it is not on the rail's own origin: payers are never
 * redirected to another origin.
 */
export function pageOf(pageOrigin: string | undefined, url: unknown): string | undefined {
  const parsed = typeof url === 'string' && url.length <= maxPageUrlLength ? URL.parse(url) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) return undefined
  return parsed.origin === pageOrigin ? parsed.href : undefined
}

export const foreignPage: UnknownOutcome = {
  outcome: 'unknown',
  why: "the redirect URL is not on the rail's own origin",
  isSecurity: true,
}

/**
 * Describes what is wrong with the origin of a connection's pages; returns `undefined` if the origin is valid
 * or not set.
 */
export const pageFault = ({ pageOrigin }: { pageOrigin?: string }) => originFault('pageOrigin', pageOrigin)

/**
 * Describes what is wrong with any other field that contains an origin; returns `undefined` if the origin is
 * valid or not set.
 */
export function originFault(field: string, origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined
  return isRailAddress(origin) && URL.parse(origin)?.origin === origin
    ? undefined
    : `${field} must be an https origin, such as https://pay.bank.example`
}
