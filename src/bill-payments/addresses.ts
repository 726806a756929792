import { readAddressSeal, sealForAddress } from '../instructions/callback-url.ts'
import { type Environment, isEnvironment } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import type { BillAddresses } from '../providers/connector.ts'

const purpose = 'bill payments'

/** Where the rail of a connection asks about payments by hand, and reports them. Sealed: only the rail is given them. */
export function billAddresses(
  { seals, baseUrl }: { seals: Seals; baseUrl: string },
  { environment, connection }: { environment: Environment; connection: string },
): BillAddresses {
  const address = `${baseUrl}/callbacks/bills/${sealForAddress(seals, purpose, [environment, connection])}`
  return { validation: `${address}/validation`, confirmation: `${address}/confirmation` }
}

/** Which connection an address was made for; `undefined` where we never issued it. */
export function readBillAddress(seals: Seals, sealed: string) {
  const [environment, connection] = readAddressSeal(seals, purpose, sealed)
  return isEnvironment(environment) && connection ? { environment, connection } : undefined
}
