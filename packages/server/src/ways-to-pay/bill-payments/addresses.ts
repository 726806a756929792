import type { BillAddresses } from '@pesewa/connector-kit'
import { type Environment, isEnvironment } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import { openFromUrl, sealForUrl } from '../../rails/instructions/callback-url.ts'

const purpose = 'bill payments'

/**
 * Returns the URLs that a connection's rail calls to validate and to confirm manual payments. They cannot be
 * guessed and are disclosed only to the rail.
 */
export function billUrls(
  { seals, baseUrl }: { seals: Seals; baseUrl: string },
  { environment, connection }: { environment: Environment; connection: string },
): BillAddresses {
  const address = `${baseUrl}/callbacks/bills/${sealForUrl(seals, purpose, [environment, connection])}`
  return { validation: `${address}/validation`, confirmation: `${address}/confirmation` }
}

/** Returns the connection that a URL was issued for, or `undefined` if we never issued it. */
export function readBillUrl(seals: Seals, sealed: string) {
  const [environment, connection] = openFromUrl(seals, purpose, sealed)
  return isEnvironment(environment) && connection ? { environment, connection } : undefined
}
