import type { HomeDatabase } from '../../platform/db/database.ts'
import { globalName } from '../../platform/db/scoped.ts'
import { type Claimant, freeLostClaims, openClaims } from '../../platform/http/commands/claims.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Seals } from '../../platform/seals.ts'
import { daysAgo } from '../../tenants/spaces/since.ts'
import { claimAddresses, freeAddresses, selectLostAddresses } from './address-store.ts'

/**
 * Characters of a link's short address, which people type. Vowels are missing so that no address is a word. 0, 1
 * and L are missing so that characters on a poster are not mistaken for each other.
 */
const alphabet = '23456789BCDFGHJKMNPQRSTVWXYZ'
const addressLength = 8 // length of a payment link’s short address; there are 28^8, or 378 billion, addresses

const addressPattern = new RegExp(`^[${alphabet}]{${addressLength}}$`)

/**
 * Opens the claims of addresses for new links. A request repeated after a restore gets the address that may already be
 * printed.
 */
export const openAddressClaims = ({ home, seals }: { home: HomeDatabase; seals: Seals }) =>
  openClaims(home, {
    derive: (claimant, attempt) => deriveAddress(seals, claimant, attempt),
    insert: claimAddresses,
  })

/** Frees addresses that were claimed a day ago or earlier, and whose links were not created. */
export const freeLostAddresses = ({ db, home }: Pick<Platform, 'db' | 'home'>): Promise<void> =>
  freeLostClaims(home, daysAgo(1), (...part) => selectLostAddresses(db, ...part), freeAddresses)

/** Returns an address that may already be taken. Each attempt leads to another one. */
export const deriveAddress = (
  seals: Seals,
  { scope, idempotencyKey }: Pick<Claimant, 'scope' | 'idempotencyKey'>,
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
