import type { Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Seals } from '../../platform/seals.ts'
import { claimAddresses } from './address-store.ts'

/**
 * Characters of a link's short address, which people type. Vowels are missing so that no address is a word. 0, 1
 * and L are missing so that characters on a poster are not mistaken for each other.
 */
const alphabet = '23456789BCDFGHJKMNPQRSTVWXYZ'
const addressLength = 8 // length of a payment link’s short address; there are 28^8, or 378 billion, addresses

const addressPattern = new RegExp(`^[${alphabet}]{${addressLength}}$`)

/** A link without its address. The idempotency key is that of the request that creates it. */
type Unaddressed = Scoped<{ id: string; idempotencyKey: string }>

/**
 * Claims an address that no link has ever had for each link, and returns the addresses by the ids of the links. They
 * are derived from the client's idempotency key, so that a request repeated after a restore gets the address that
 * may already be printed.
 */
export async function newAddresses(tx: Tx, seals: Seals, links: Unaddressed[]): Promise<Map<string, string>> {
  const addresses = new Map<string, string>()
  let left = links
  for (let attempt = 0; left.length > 0; attempt++) {
    const wanted = left.map((link) => ({ ...link, address: deriveAddress(seals, link, attempt) }))
    const claimed = await claimAddresses(tx, wanted)
    for (const { id, address } of wanted) if (claimed.has(id)) addresses.set(id, address)
    left = left.filter(({ id }) => !claimed.has(id))
  }
  return addresses
}

/** Returns an address that may already be taken. Each attempt leads to another one. */
export const deriveAddress = (
  seals: Seals,
  { scope, idempotencyKey }: Pick<Unaddressed, 'scope' | 'idempotencyKey'>,
  attempt = 0,
): string =>
  addressFrom(seals.fingerprint('payment link address', `${globalName(scope, idempotencyKey)} ${attempt}`))

const addressFrom = (fingerprint: string) =>
  Array.from(
    Buffer.from(fingerprint, 'base64url').subarray(0, addressLength),
    (byte) => alphabet[byte % alphabet.length],
  ).join('')

/**
 * Returns the address that a person typed, or `undefined` if the text cannot be one. Case, spaces and hyphens
 * do not matter.
 */
export function readAddress(text: string): string | undefined {
  if (text.length > 3 * addressLength) return undefined
  const address = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return addressPattern.test(address) ? address : undefined
}
