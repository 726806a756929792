import { isRailAddress } from './connection-fields.ts'
import type { UnknownOutcome } from './connector.ts'

const maxPageUrlLength = 2_000

/** Returns the URL of a rail's page if it is on the rail's own origin; payers are never redirected elsewhere. */
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

/** Describes an error in the origin of a connection's pages; `undefined` if the origin is valid or absent. */
export const pageFault = ({ pageOrigin }: { pageOrigin?: string }) => originFault('pageOrigin', pageOrigin)

/** Checks any other field that contains an origin. */
export function originFault(field: string, origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined
  return isRailAddress(origin) && URL.parse(origin)?.origin === origin
    ? undefined
    : `${field} must be an https origin, such as https://pay.bank.example`
}
