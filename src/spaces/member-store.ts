import type { Reader, Tx } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/route.ts'
import type { Role } from './permissions.ts'

/** Somebody who may do something in a Space. `id`: of the user. */
export type Member = { id: string; email: string; role: Role; since: Date }

const members = (spaceId: string, which: Sql) => sql`
  select users.id, users.email, members.role, members.since from members
  join users on users.id = members.user_id
  where members.space_id = ${spaceId} ${which}`

/** In the order of their ids, who came to the service last first. */
export const selectMembers = (db: Reader, spaceId: string, { after, from, to, take }: Page) =>
  db.query<Member>(
    members(
      spaceId,
      sql`
      and (${after ?? null}::uuid is null or members.user_id < ${after ?? null})
      and (${from ?? null}::timestamptz is null or members.since >= ${from ?? null})
      and (${to ?? null}::timestamptz is null or members.since < ${to ?? null})
      order by members.user_id desc
      limit ${take}`,
    ),
  )

export const selectMember = (db: Reader, spaceId: string, userId: string) =>
  db.one<Member>(members(spaceId, sql`and members.user_id = ${userId}`))

export const countOtherOwners = async (tx: Tx, spaceId: string, userId: string) =>
  (
    await tx.only<{ count: number }>(sql`
      select count(*)::int as count from members
      where space_id = ${spaceId} and role = 'owner' and user_id <> ${userId}`)
  ).count

/** With those who are invited: each may become one. */
export const countMembers = async (tx: Tx, spaceId: string, now: Date) =>
  (
    await tx.only<{ count: number }>(sql`
      select (select count(*) from members where space_id = ${spaceId})::int
        + (select count(*) from invitations
           where space_id = ${spaceId} and accepted_at is null and withdrawn_at is null and expires_at > ${now})::int
        as count`)
  ).count

export const deleteMember = (tx: Tx, spaceId: string, userId: string) =>
  tx.run(sql`delete from members where space_id = ${spaceId} and user_id = ${userId}`)

/** Of a user who leaves a Space: those tokens that are good nowhere else. */
export const revokeTokensOfSpace = (tx: Tx, spaceId: string, userId: string, at: Date) =>
  tx.run(sql`
    update tokens set revoked_at = ${at}
    where user_id = ${userId} and revoked_at is null and space_ids = array[${spaceId}::uuid]`)
