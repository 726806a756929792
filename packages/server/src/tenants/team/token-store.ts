import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { type Token, tokenColumns } from '../spaces/store.ts'

/** A token that is valid in a Space, with its owner's email address. */
export type MemberToken = Token & { email: string }

export const tokenStatuses = ['active', 'expired', 'revoked'] as const
export type TokenStatus = (typeof tokenStatuses)[number]

/**
 * Returns a page of the tokens that are valid in the Space, newest first. With `ownerId`, only that member's
 * tokens are returned. Reads at most one page for each member.
 */
export function selectMemberTokens(
  db: Reader,
  scope: Scope,
  { ownerId, status }: { ownerId: string | undefined; status: TokenStatus | undefined },
  page: Page,
) {
  const which = sql`${status ? ofStatus(status, new Date()) : nothing} ${inPage(page)} order by id desc limit ${page.take}`
  return db.query<MemberToken>(sql`
    select * from (${memberTokens(scope, ownerId, which)}) token
    order by id desc
    limit ${page.take}`)
}

const ofStatus = (status: TokenStatus, now: Date): Sql =>
  ({
    active: sql`and revoked_at is null and (expires_at is null or expires_at > ${now})`,
    expired: sql`and revoked_at is null and expires_at <= ${now}`,
    revoked: sql`and revoked_at is not null`,
  })[status]

/** Returns a page of the tokens of all users, newest first. */
export const selectTokenPage = (db: Reader, status: TokenStatus | undefined, page: Page) =>
  db.query<Token>(sql`
    select ${tokenColumns} from tokens where true ${status ? ofStatus(status, new Date()) : nothing} ${inPage(page)}
    order by id desc limit ${page.take}`)

export const selectMemberToken = (db: Reader, scope: Scope, ownerId: string | undefined, id: string) =>
  db.one<MemberToken>(memberTokens(scope, ownerId, sql`and id = ${id}`))

const memberTokens = ({ spaceId, environment }: Scope, ownerId: string | undefined, which: Sql) => sql`
  select token.*, users.email from members member
  join users on users.id = member.user_id
  cross join lateral (
    select ${tokenColumns} from tokens
    where user_id = member.user_id and environment = ${environment}
      and (space_ids is null or ${spaceId}::uuid = any(space_ids)) ${which}
  ) token
  where member.space_id = ${spaceId} ${ownerId === undefined ? nothing : sql`and member.user_id = ${ownerId}`}`

/** Locks a user, so that concurrent requests count each other's tokens. */
export const lockUser = (tx: HomeTx, userId: string) =>
  tx.run(sql`select 1 from users where id = ${userId} for no key update`)

export const countWorkingTokens = async (tx: HomeTx, userId: string, environment: Environment, now: Date) =>
  (
    await tx.only<{ count: number }>(sql`
      select count(*)::int as count from tokens
      where user_id = ${userId} and environment = ${environment} and revoked_at is null
        and (expires_at is null or expires_at > ${now})`)
  ).count
