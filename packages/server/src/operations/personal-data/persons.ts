import { must } from '@pesewa/values'
import { parsePhone } from '@pesewa/values/phones'
import type { Reader } from '../../platform/db/database.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Vault } from '../../platform/vault.ts'
import { readAccount } from '../../rails/connections/account.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import type { Person } from '../../tenants/retention/person.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'

/** A person in a request. */
export type NamedPerson = { phoneNumber?: string; providerId?: string; account?: string }

/** Returns the person whom a request names, or `undefined` if it is not valid. Adds an issue for each error. */
export async function readPerson(
  db: Reader,
  catalogue: Catalogue,
  scope: Scope,
  { phoneNumber, providerId, account }: WellFormed<NamedPerson>,
  issues: Issues,
): Promise<Person | undefined> {
  if (phoneNumber !== undefined) {
    for (const [name, value] of Object.entries({ providerId, account }))
      if (value !== undefined) issues.add(`person.${name}`, 'must not be combined with a phone number')
    const { country } = must(await selectSpace(db, scope.spaceId), 'Space of a call')
    const parsed = parsePhone(phoneNumber, country, scope.environment)
    if (parsed === undefined) issues.add('person.phoneNumber', 'is not a phone number')
    return parsed === undefined ? undefined : { phoneNumber: parsed }
  }
  if (providerId === undefined && account === undefined) {
    issues.add('person', 'must have a phone number, or a provider and an account')
    return undefined
  }
  if (account === undefined) issues.add('person.account', 'is required with a provider')
  if (providerId === undefined) issues.add('person.providerId', 'is required with an account')
  const provider = providerId === undefined ? undefined : catalogue.find(providerId)
  if (providerId !== undefined && !provider) issues.add('person.providerId', 'is not a provider')
  if (!provider || account === undefined) return undefined
  const read = readAccount(provider, account, scope.environment)
  if (read === undefined) {
    issues.add('person.account', 'is not an account of this provider')
    return undefined
  }
  return provider.type === 'momo' ? { phoneNumber: read } : { providerId: provider.providerId, account: read }
}

const place = 'person of a data protection request'

/** Encrypts a person, whose data is still to be exported or erased. */
export const lockPerson = (vault: Vault, person: Person): Buffer =>
  vault.lock(place, Buffer.from(JSON.stringify(person)))

/** Decrypts a person. The text was written by `lockPerson`. */
export const unlockPerson = (vault: Vault, locked: Buffer): Person =>
  JSON.parse(vault.unlock(place, locked).toString())
