import { comparable } from '../../platform/db/encryption.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { maskAccount, maskPhone } from '../../platform/masks.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'

/**
 * A payer or payee, identified by a phone number in E.164 format, or by an account number or wallet id with its
 * provider.
 */
export type Person =
  | { phoneNumber: string; providerId?: never; account?: never }
  | { phoneNumber?: never; providerId: string; account: string }

/** Returns the person to whom an account of this type belongs; null if the account has been erased or is a card. */
export function personOf(type: string, providerId: string, account: string | null): Person | null {
  if (account === null || account === erased) return null
  return type === 'momo' ? { phoneNumber: account } : { providerId, account }
}

/**
 * The value that replaces a phone number, an account or a fingerprint that has been erased. No account is
 * empty, so it is never found.
 */
export const erased = ''

/** What the API shows in place of an account that has been erased. */
export const erasedMask = '****'

/** Returns a keyed hash that identifies a person within a Space and reveals nothing about them. */
export const personHash = (seals: Seals, { spaceId }: Pick<Scope, 'spaceId'>, person: Person): string =>
  seals.fingerprint(
    `person ${spaceId}`,
    person.phoneNumber === undefined
      ? `${person.providerId} ${person.account}`
      : `momo ${person.phoneNumber}`,
  )

const maskPerson = (person: Person): string =>
  person.phoneNumber === undefined
    ? `${person.providerId} ${maskAccount(person.account)}`
    : maskPhone(person.phoneNumber)

/**
 * Returns the condition that two rows have the same account. Each row is erased when its own retention period
 * ends, and its seal proves that nobody else has erased it.
 */
export const isSameUnlessErased = (one: Sql, other: Sql): Sql =>
  sql`(${comparable(one, other)} is not distinct from ${other} or ${one} = ${erased} or ${other} = ${erased})`

/** Returns what is stored about a person outside of the encrypted column. */
export const identify = (seals: Seals, scope: Scope, person: Person) => ({
  personHash: personHash(seals, scope, person),
  personMask: maskPerson(person),
})
