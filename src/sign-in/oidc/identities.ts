import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Browser } from '../../platform/http/open-route.ts'
import { Refusal } from '../../platform/refusals.ts'
import { addUser, findUserByEmail } from '../../spaces/spaces.ts'
import { mailNotice } from '../notices.ts'
import type { Claims } from './claims.ts'
import type { GroupRoles } from './groups-file.ts'

type Identity = Pick<Claims, 'issuer' | 'subject'>

/** Who somebody at the identity provider is here. */
export const findIdentity = async (db: Reader, { issuer, subject }: Identity): Promise<string | undefined> =>
  (
    await db.one<{ userId: string }>(sql`
      select user_id from oidc_identities where issuer = ${issuer} and subject = ${subject}`)
  )?.userId

/**
 * The user that somebody at the identity provider is. Of who comes for the first time: whoever has the mailbox, which the provider has to
 * have verified; and a new user where groups give them something.
 *
 * @throws Refusal `sign_in_failed` where it is nobody, or the mailbox was another's there
 */
export async function userOf(tx: Tx, claims: Claims, given: GroupRoles, browser: Browser): Promise<string> {
  const known = await findIdentity(tx, claims)
  if (known) {
    await tx.run(sql`
      update oidc_identities set used_at = ${new Date()}
      where issuer = ${claims.issuer} and subject = ${claims.subject}`)
    return known
  }
  const email = claims.verifiedEmail
  if (email === undefined) throw nobody('The identity provider does not say that your mailbox is verified.')
  const isWelcome = given.isOperator || given.roles.size > 0
  const user = (await findUserByEmail(tx, email)) ?? (isWelcome ? await addUser(tx, email) : undefined)
  if (!user) throw nobody('Nobody here has your email address: ask for an invitation.')
  // A mailbox may be given to another person, who is somebody else at the provider.
  if (!(await link(tx, user.id, claims)) && (await findIdentity(tx, claims)) !== user.id)
    throw nobody('Your email address belongs to another account at the identity provider.')
  await mailNotice(tx, user.id, 'identity_linked', browser)
  return user.id
}

/** Returns whether it was linked: a user has one identity at a provider. */
async function link(tx: Tx, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const now = new Date()
  return (
    (await tx.run(sql`
      insert into oidc_identities (issuer, subject, user_id, created_at, used_at)
      values (${issuer}, ${subject}, ${userId}, ${now}, ${now})
      on conflict do nothing`)) > 0
  )
}

/** Unlinks a user, and returns whether they were linked: who comes next with their mailbox is they. */
export const unlink = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.run(sql`delete from oidc_identities where user_id = ${userId}`)) > 0

const nobody = (message: string) => new Refusal('sign_in_failed', { message })
