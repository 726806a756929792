import { findCountry, must } from '@pesewa/values'
import { mainAccount } from '../../ledger/accounts/accounts.ts'
import type { Tx } from '../../platform/db/database.ts'
import { environments } from '../../platform/scope.ts'
import { addUser, createSpace, setMember } from '../../tenants/spaces/spaces.ts'
import { type Space, selectUserByEmail } from '../../tenants/spaces/store.ts'

/** A Space to open. `ownerEmail` is the email address of its owner, who is added as a user if unknown. */
export type NewSpace = { name: string; country: string; ownerEmail?: string | undefined }

/**
 * Creates a Space with its main accounts and its owner.
 *
 * @throws Refusal `arguments_invalid`
 */
export async function openSpace(tx: Tx, { name, country, ownerEmail }: NewSpace): Promise<Space> {
  const space = await createSpace(tx, { name, country })
  const currency = must(findCountry(space.country), 'country of a Space').currency.code
  for (const environment of environments)
    await mainAccount(tx, { spaceId: space.id, environment }, currency, space.createdAt)
  if (ownerEmail !== undefined) {
    const owner = (await selectUserByEmail(tx, ownerEmail)) ?? (await addUser(tx, ownerEmail))
    await setMember(tx, { spaceId: space.id, userId: owner.id, role: 'owner' })
  }
  return space
}
