import { randomInt } from 'node:crypto'
import type { Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import { claimAddress } from './address-store.ts'

/**
 * Characters of a link's short address, which people type. Vowels are missing so that no address is a word. 0, 1
 * and L are missing so that characters on a poster are not mistaken for each other.
 */
const alphabet = '23456789BCDFGHJKMNPQRSTVWXYZ'
const addressLength = 8 // length of a payment link’s short address; there are 28^8, or 378 billion, addresses

const addressPattern = new RegExp(`^[${alphabet}]{${addressLength}}$`)

/** Claims a random address that no link has ever had, and returns it. */
export async function newAddress(tx: Tx, scope: Scope, linkId: string): Promise<string> {
  for (;;) {
    const address = Array.from({ length: addressLength }, () => alphabet[randomInt(alphabet.length)]).join('')
    if (await claimAddress(tx, scope, { address, linkId })) return address
  }
}

/**
 * Returns the address that a person typed, or `undefined` if the text cannot be one. Case, spaces and hyphens
 * do not matter.
 */
export function readAddress(text: string): string | undefined {
  if (text.length > 3 * addressLength) return undefined
  const address = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return addressPattern.test(address) ? address : undefined
}
