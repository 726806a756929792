import type { Tx } from '../../platform/db/database.ts'
import { globalName } from '../../platform/db/scoped.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import { claimAddress } from './address-store.ts'

/**
 * Characters of a link's short address, which people type. Vowels are missing so that no address is a word. 0, 1
 * and L are missing so that characters on a poster are not mistaken for each other.
 */
const alphabet = '23456789BCDFGHJKMNPQRSTVWXYZ'
const addressLength = 8 // length of a payment link’s short address; there are 28^8, or 378 billion, addresses

const addressPattern = new RegExp(`^[${alphabet}]{${addressLength}}$`)

/**
 * Claims an address that no link has ever had, and returns it. It is derived from the client's idempotency key, so
 * that a request repeated after a restore gets the address that may already be printed.
 */
export async function newAddress(
  tx: Tx,
  seals: Seals,
  scope: Scope,
  { linkId, idempotencyKey }: { linkId: string; idempotencyKey: string },
): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const address = addressFrom(
      seals.fingerprint('payment link address', `${globalName(scope, idempotencyKey)} ${attempt}`),
    )
    if (await claimAddress(tx, scope, { address, linkId })) return address
  }
}

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
