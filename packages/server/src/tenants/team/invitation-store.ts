import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Role } from '../spaces/permissions.ts'

export const invitationStatuses = ['pending', 'accepted', 'expired', 'withdrawn'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

/** An invitation to become a member. All times are wall-clock times. */
export type Invitation = {
  id: string
  spaceId: string
  email: string
  role: Role
  inviterId: string | null
  createdAt: Date
  expiresAt: Date
  mailCount: number
  acceptedAt: Date | null
  withdrawnAt: Date | null
}

const columns = sql`id, space_id, email, role, inviter_id, created_at, expires_at, mail_count, accepted_at, withdrawn_at`

export const insertInvitation = (tx: HomeTx, one: Invitation) =>
  tx.run(sql`
    insert into invitations (id, space_id, email, role, inviter_id, created_at, expires_at, mail_count)
    values (${one.id}, ${one.spaceId}, ${one.email}, ${one.role}, ${one.inviterId}, ${one.createdAt}, ${one.expiresAt},
      ${one.mailCount})`)

export const selectInvitations = (
  db: Reader,
  spaceId: string,
  status: InvitationStatus | undefined,
  page: Page,
) =>
  db.query<Invitation>(sql`
    select ${columns} from invitations
    where space_id = ${spaceId} ${status ? ofStatus(status, new Date()) : nothing} ${inPage(page)}
    order by id desc
    limit ${page.take}`)

const ofStatus = (status: InvitationStatus, now: Date): Sql =>
  ({
    pending: sql`and accepted_at is null and withdrawn_at is null and expires_at > ${now}`,
    expired: sql`and accepted_at is null and withdrawn_at is null and expires_at <= ${now}`,
    accepted: sql`and accepted_at is not null`,
    withdrawn: sql`and withdrawn_at is not null`,
  })[status]

/** Returns an invitation by its id, whichever Space it belongs to. */
export const selectInvitation = (db: Reader, id: string, lock: Sql = nothing) =>
  db.one<Invitation>(sql`select ${columns} from invitations where id = ${id} ${lock}`)

export const selectOpenInvitation = (tx: HomeTx, spaceId: string, email: string) =>
  tx.one<Invitation>(sql`
    select ${columns} from invitations
    where space_id = ${spaceId} and lower(email) = lower(${email}) and accepted_at is null and withdrawn_at is null`)

export const countInvitationsSince = async (tx: HomeTx, spaceId: string, id: string) =>
  (
    await tx.only<{ count: number }>(sql`
      select count(*)::int as count from invitations where space_id = ${spaceId} and id >= ${id}`)
  ).count

export const markWithdrawn = (tx: HomeTx, id: string, at: Date) =>
  tx.run(sql`update invitations set withdrawn_at = ${at} where id = ${id}`)

export const markMailed = (tx: HomeTx, id: string, expiresAt: Date) =>
  tx.run(sql`
    update invitations set mail_count = mail_count + 1, expires_at = ${expiresAt} where id = ${id}`)

export const markAccepted = (tx: HomeTx, id: string, userId: string, at: Date) =>
  tx.run(sql`update invitations set accepted_at = ${at}, accepted_by = ${userId} where id = ${id}`)

/**
 * Returns the number of members and open invitations of a Space. Each open invitation can lead to another
 * member.
 */
export const countMembers = async (tx: HomeTx, spaceId: string, now: Date) =>
  (
    await tx.only<{ count: number }>(sql`
      select (select count(*) from members where space_id = ${spaceId})::int
        + (select count(*) from invitations
           where space_id = ${spaceId} and accepted_at is null and withdrawn_at is null and expires_at > ${now})::int
        as count`)
  ).count
