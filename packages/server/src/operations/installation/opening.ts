import { findCountry, must } from '@pesewa/values'
import { mainAccounts } from '../../ledger/accounts/accounts.ts'
import type { HomeTx, Tx } from '../../platform/db/database.ts'
import { environments } from '../../platform/scope.ts'
import { addUser, createSpace, setMember } from '../../tenants/spaces/spaces.ts'
import { type Space, selectUserByEmail } from '../../tenants/spaces/store.ts'

/** A Space to open. `ownerEmail` is the email address of its owner, who is added as a user if unknown. */
export type NewSpace = { name: string; country: string; ownerEmail?: string | undefined }

/**
 * Creates a Space with its owner. Its cell then opens its main accounts.
 *
 * @throws Refusal `arguments_invalid`
 */
export async function openSpace(tx: HomeTx, { name, country, ownerEmail }: NewSpace): Promise<Space> {
  const space = await createSpace(tx, { name, country })
  if (ownerEmail !== undefined) {
    const owner = (await selectUserByEmail(tx, ownerEmail)) ?? (await addUser(tx, ownerEmail))
    await setMember(tx, { spaceId: space.id, userId: owner.id, role: 'owner' })
  }
  return space
}

/** Opens the main accounts of a new Space in its own currency, unless they exist. */
export async function openMainAccounts(
  tx: Tx,
  { id: spaceId, country, createdAt: at }: Pick<Space, 'id' | 'country' | 'createdAt'>,
): Promise<void> {
  const currency = must(findCountry(country), 'country of a Space').currency.code
  await mainAccounts(
    tx,
    environments.map((environment) => ({ scope: { spaceId, environment }, currency, at })),
  )
}
