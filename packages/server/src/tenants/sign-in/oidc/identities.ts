import type { HomeTx } from '../../../platform/db/database.ts'
import type { Browser } from '../../../platform/http/admission/open-route.ts'
import { Refusal } from '../../../platform/refusals.ts'
import { addUser } from '../../spaces/spaces.ts'
import { selectUserByEmail } from '../../spaces/store.ts'
import { mailNotice } from '../notices.ts'
import type { Claims } from './claims.ts'
import type { GroupRoles } from './groups-file.ts'
import { insertIdentity, markIdentityUsed, selectIdentity } from './store.ts'

/**
 * Returns the user for an account at the identity provider. On the first sign-in, the account is linked to the
 * user with the same verified email address; if there is none, a user is created, provided that their groups
 * give them a role.
 *
 * @throws Refusal `sign_in_failed` if no user matches, or if the user is linked to another account
 */
export async function findOrCreateUser(
  tx: HomeTx,
  claims: Claims,
  given: GroupRoles,
  browser: Browser,
): Promise<string> {
  const known = await selectIdentity(tx, claims)
  if (known) {
    await markIdentityUsed(tx, claims)
    return known
  }
  const email = claims.verifiedEmail
  if (email === undefined) throw refusedSignIn('The identity provider has not verified your email address.')
  const isWelcome = given.isOperator || given.roles.size > 0
  const user = (await selectUserByEmail(tx, email)) ?? (isWelcome ? await addUser(tx, email) : undefined)
  if (!user) throw refusedSignIn('No user has your email address. Ask for an invitation.')
  // A mailbox may later be given to another person, who has a different account at the provider.
  if (!(await insertIdentity(tx, user.id, claims)) && (await selectIdentity(tx, claims)) !== user.id)
    throw refusedSignIn('Your email address is linked to another account at the identity provider.')
  await mailNotice(tx, user.id, 'identity_linked', browser)
  return user.id
}

const refusedSignIn = (message: string) => new Refusal('sign_in_failed', { message })
