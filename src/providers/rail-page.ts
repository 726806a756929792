import { isRailAddress } from './connection-fields.ts'
import type { UnknownOutcome } from './connector.ts'

const maxPageUrlLength = 2_000 // limit: the address of a rail’s page

/** The address of a rail's page, where it stands at the rail's own origin: a payer is sent to no other. */
export function pageOf(pageOrigin: string | undefined, url: unknown): string | undefined {
  const parsed = typeof url === 'string' && url.length <= maxPageUrlLength ? URL.parse(url) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) return undefined
  return parsed.origin === pageOrigin ? parsed.href : undefined
}

export const foreignPage: UnknownOutcome = {
  outcome: 'unknown',
  why: 'it sends the payer to a page that is not its own',
  isSecurity: true,
}

/** What is wrong with the origin of a connection's pages; `undefined` when nothing is, or there is none. */
export const pageFault = ({ pageOrigin }: { pageOrigin?: string }) => originFault('pageOrigin', pageOrigin)

/** The same of another field that names an origin. */
export function originFault(field: string, origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined
  return isRailAddress(origin) && URL.parse(origin)?.origin === origin
    ? undefined
    : `${field} must be an https origin, like https://pay.bank.example`
}
