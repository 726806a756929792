import type { HomeTx, Reader } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Role } from '../../spaces/permissions.ts'
import type { Claims } from './claims.ts'

type Identity = Pick<Claims, 'issuer' | 'subject'>

/** Returns the user who is linked to an account at the identity provider, or `undefined` if there is none. */
export const selectIdentity = async (
  db: Reader,
  { issuer, subject }: Identity,
): Promise<string | undefined> =>
  (
    await db.one<{ userId: string }>(sql`
      select user_id from oidc_identities where issuer = ${issuer} and subject = ${subject}`)
  )?.userId

export const markIdentityUsed = (tx: HomeTx, { issuer, subject }: Identity) =>
  tx.run(sql`
    update oidc_identities set used_at = ${new Date()} where issuer = ${issuer} and subject = ${subject}`)

/**
 * Links an account to a user. Returns false if either of them is already linked, since a user has only one
 * account per provider.
 */
export async function insertIdentity(
  tx: HomeTx,
  userId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
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
export const deleteIdentity = async (tx: HomeTx, userId: string): Promise<boolean> =>
  (await tx.run(sql`delete from oidc_identities where user_id = ${userId}`)) > 0

export type GroupGrant = { spaceId: string | null; role: Role | null }

/** Returns the roles that a user's groups gave, locked until the transaction ends. */
export const lockGrants = (tx: HomeTx, userId: string) =>
  tx.query<GroupGrant>(sql`
    select space_id, role from roles_by_group where user_id = ${userId} for update`)

export const lockOperator = (tx: HomeTx, userId: string) =>
  tx.only<{ isOperator: boolean }>(sql`
    select is_operator from users where id = ${userId} for no key update`)

/**
 * Stores the role that a user's groups give in a Space. `role` is `null` for operator rights, and `undefined`
 * if the groups give nothing.
 */
export async function storeGrant(
  tx: HomeTx,
  { userId, spaceId }: { userId: string; spaceId: string | null },
  role: Role | null | undefined,
): Promise<void> {
  if (role === undefined)
    await tx.run(sql`
      delete from roles_by_group where user_id = ${userId} and space_id is not distinct from ${spaceId}`)
  else
    await tx.run(sql`
      insert into roles_by_group (user_id, space_id, role) values (${userId}, ${spaceId}, ${role})
      on conflict (user_id, space_id) do update set role = excluded.role`)
}
