import type { Reader, Tx } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Browser } from '../../../platform/http/admission/open-route.ts'
import { Refusal } from '../../../platform/refusals.ts'
import { addUser } from '../../spaces/spaces.ts'
import { selectUserByEmail } from '../../spaces/store.ts'
import { mailNotice } from '../notices.ts'
import type { Claims } from './claims.ts'
import type { GroupRoles } from './groups-file.ts'

type Identity = Pick<Claims, 'issuer' | 'subject'>

/** Returns the user who is linked to an account at the identity provider, or `undefined` if there is none. */
export const findIdentity = async (db: Reader, { issuer, subject }: Identity): Promise<string | undefined> =>
  (
    await db.one<{ userId: string }>(sql`
      select user_id from oidc_identities where issuer = ${issuer} and subject = ${subject}`)
  )?.userId

/**
 * Returns the user for an account at the identity provider. On the first sign-in, the account is linked to the
 * user with the same verified email address; if there is none, a user is created, provided that their groups
 * give them a role.
 *
 * @throws Refusal `sign_in_failed` if no user matches, or if the user is linked to another account
 */
export async function findOrCreateUser(
  tx: Tx,
  claims: Claims,
  given: GroupRoles,
  browser: Browser,
): Promise<string> {
  const known = await findIdentity(tx, claims)
  if (known) {
    await tx.run(sql`
      update oidc_identities set used_at = ${new Date()}
      where issuer = ${claims.issuer} and subject = ${claims.subject}`)
    return known
  }
  const email = claims.verifiedEmail
  if (email === undefined) throw refusedSignIn('The identity provider has not verified your email address.')
  const isWelcome = given.isOperator || given.roles.size > 0
  const user = (await selectUserByEmail(tx, email)) ?? (isWelcome ? await addUser(tx, email) : undefined)
  if (!user) throw refusedSignIn('No user has your email address. Ask for an invitation.')
  // A mailbox may later be given to another person, who has a different account at the provider.
  if (!(await linkIdentity(tx, user.id, claims)) && (await findIdentity(tx, claims)) !== user.id)
    throw refusedSignIn('Your email address is linked to another account at the identity provider.')
  await mailNotice(tx, user.id, 'identity_linked', browser)
  return user.id
}

/**
 * Links an account to a user. Returns false if either of them is already linked, since a user has only one
 * account per provider.
 */
async function linkIdentity(tx: Tx, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const now = new Date()
  return (
    (await tx.run(sql`
      insert into oidc_identities (issuer, subject, user_id, created_at, used_at)
      values (${issuer}, ${subject}, ${userId}, ${now}, ${now})
      on conflict do nothing`)) > 0
  )
}

/**
 * Unlinks a user from their account at the identity provider, and returns whether they were linked. The next
 * sign-in with their email address links an account again.
 */
export const removeIdentity = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.run(sql`delete from oidc_identities where user_id = ${userId}`)) > 0

const refusedSignIn = (message: string) => new Refusal('sign_in_failed', { message })
