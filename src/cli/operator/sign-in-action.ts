import type { Tx } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import { removeTotp } from '../../tenants/sign-in/codes.ts'
import { createLink, printedLinkMs } from '../../tenants/sign-in/links.ts'
import { deleteIdentity } from '../../tenants/sign-in/oidc/store.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { selectUserByEmail } from '../../tenants/spaces/store.ts'
import { noteSignInChange } from '../../tenants/team/members.ts'
import { byCommand } from './actions.ts'
import { inTransaction } from './command-database.ts'
import { openRecordingParts } from './recording-parts.ts'

type Person = { email: string }

export const createSignInLink = (person: Person) =>
  inTransaction(async (tx) => ({
    link: await createLink(tx, openRecordingParts(), (await find(tx, person)).id, printedLinkMs),
  }))

/** Removes a lost authenticator app and its recovery codes, so that the user can sign in with only a link. */
export const removeApp = (person: Person) =>
  inTransaction(async (tx) => {
    const user = await find(tx, person)
    await removeTotp(tx, user.id, { address: 'the installation', agent: 'pesewa users remove-app' })
    await noteSignInChange(tx, user, byCommand('users remove-app'), 'member.remove_app')
    return { id: showId(userIds, user.id), email: user.email }
  })

/**
 * Unlinks a user from an identity whose subject has changed at the identity provider. The next sign-in with the
 * verified email address links the user again.
 */
export const unlinkIdentity = (person: Person) =>
  inTransaction(async (tx) => {
    const user = await find(tx, person)
    if (!(await deleteIdentity(tx, user.id)))
      throw new Refusal('state_conflict', {
        message: 'This user is not linked to an identity provider.',
      })
    await noteSignInChange(tx, user, byCommand('users unlink'), 'member.unlink')
    return { id: showId(userIds, user.id), email: user.email }
  })

async function find(tx: Tx, { email }: Person) {
  const user = await selectUserByEmail(tx, email)
  if (!user) throw new Refusal('not_found', { message: 'There is no user with this email address.' })
  return user
}
