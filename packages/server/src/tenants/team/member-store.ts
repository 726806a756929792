import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import type { Role } from '../spaces/permissions.ts'
import type { Membership } from '../spaces/store.ts'

/** A member of a Space. `id` is the user's id. */
export type Member = { id: string; email: string; role: Role; since: Date }

const members = (spaceId: string, which: Sql) => sql`
  select users.id, users.email, members.role, members.since from members
  join users on users.id = members.user_id
  where members.space_id = ${spaceId} ${which}`

/** Returns a page of a Space's members, in reverse order of their user ids (newest users first). */
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

/** Returns all members of a Space, oldest first, for the operator's list. */
export const selectAllMembers = (db: Reader, spaceId: string) =>
  db.query<Member>(members(spaceId, sql`order by members.since, members.user_id`))

/** Returns all memberships of a user. */
export const selectMemberships = (db: Reader, userId: string) =>
  db.query<Membership & { role: Role; since: Date }>(sql`
    select space_id, user_id, role, since from members where user_id = ${userId} order by space_id`)

export const countOtherOwners = async (tx: HomeTx, spaceId: string, userId: string) =>
  (
    await tx.only<{ count: number }>(sql`
      select count(*)::int as count from members
      where space_id = ${spaceId} and role = 'owner' and user_id <> ${userId}`)
  ).count

const maxOwners = 10 // maximum number of owners of a Space who are warned that one of its tokens will expire

/** Returns the email addresses of a user and, if a Space is given, of its owners. */
export const selectRecipients = (tx: HomeTx, userId: string, spaceId: string | undefined) =>
  tx.query<{ email: string }>(sql`
    select email from users where id = ${userId}
    union
    (select users.email from members join users on users.id = members.user_id
     where members.space_id = ${spaceId ?? null} and role = 'owner' order by members.since limit ${maxOwners})`)
