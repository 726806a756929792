import { byteas, uuids } from '../../platform/db/arrays.ts'
import { uuid } from '../../platform/db/columns.ts'
import type { AnyTx, HomeTx, Reader, Tx } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { unnest } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Role } from './permissions.ts'

export type Space = { id: string; name: string; country: string; createdAt: Date } & Suspension
/** Suspension of a Space by an operator. All fields are `null` if the Space is not suspended. */
export type Suspension = {
  suspendedAt: Date | null
  suspendedBy: string | null
  suspensionReason: string | null
}
export type User = { id: string; email: string; isOperator: boolean; createdAt: Date }
export type Token = {
  id: string
  userId: string
  environment: Environment
  name: string
  scopes: string[]
  spaceIds: string[] | null
  networks: string[] | null
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
  /** Last characters of the token's text. Null for tokens created by earlier versions. */
  lastCharacters: string | null
  /** Id of the token that replaced this one. */
  replacedBy: string | null
}

const spaceColumns = sql`id, name, country, created_at, suspended_at, suspended_by, suspension_reason`

export const insertSpace = (tx: HomeTx, space: Omit<Space, keyof Suspension>) =>
  tx.run(sql`
    insert into spaces (id, name, country, created_at)
    values (${space.id}, ${space.name}, ${space.country}, ${space.createdAt})`)

export const selectSpace = (db: Reader, id: string) =>
  db.one<Space>(sql`select ${spaceColumns} from spaces where id = ${id}`)

export const selectCountries = (db: Reader, ids: string[]) =>
  db.query<Pick<Space, 'id' | 'country'>>(
    sql`select id, country from spaces where id = any(${uuids(ids)}::uuid[])`,
  )

/** Selects the Space of a key. */
export const selectRequestedSpace: Sql<Space> = sql`select ${spaceColumns} from spaces where id = requested.space_id`

export const selectSpaces = (db: Reader) =>
  db.query<Space>(sql`select ${spaceColumns} from spaces order by id`)

/** Stores or clears a suspension. */
export const updateSuspension = (tx: HomeTx, id: string, suspension: Suspension) =>
  tx.run(sql`
    update spaces set suspended_at = ${suspension.suspendedAt}, suspended_by = ${suspension.suspendedBy},
      suspension_reason = ${suspension.suspensionReason}
    where id = ${id}`)

export const lockSpace = (tx: HomeTx, id: string) =>
  tx.one<Space>(sql`select ${spaceColumns} from spaces where id = ${id} for no key update`)

/** First key of the advisory locks on the settings of Spaces. */
const settingsLock = 715_021

/**
 * Waits until no other transaction changes the settings of a Space, or erases its personal data. A cell does not lock the
 * row of the Space, which belongs to home.
 */
export const lockSettings = (tx: Tx, spaceId: string) =>
  tx.query(sql`select pg_advisory_xact_lock(${settingsLock}, hashtext(${spaceId}))`)

export const insertUser = (tx: HomeTx, user: User) =>
  tx.run(sql`
    insert into users (id, email, is_operator, created_at)
    values (${user.id}, ${user.email}, ${user.isOperator}, ${user.createdAt})`)

const userColumns = sql`id, email, is_operator, created_at`

export const selectUser = (db: Reader, id: string) =>
  db.one<User>(sql`select ${userColumns} from users where id = ${id}`)

export const selectUserByEmail = (db: Reader, email: string) =>
  db.one<User>(sql`select ${userColumns} from users where lower(email) = lower(${email})`)

// Users belong to the installation.
export const selectUserPage = (db: Reader, email: string | undefined, page: Page) =>
  db.query<User>(sql`
    select ${userColumns} from users
    where ${email === undefined ? sql`true` : sql`lower(email) = lower(${email})`} ${inPage(page)}
    order by id desc limit ${page.take}`)

export const updateOperator = (tx: HomeTx, id: string, isOperator: boolean) =>
  tx.run(sql`update users set is_operator = ${isOperator} where id = ${id}`)

/** Returns the ids of those given users who are operators. */
export const selectOperators = (db: Reader, ids: string[]) =>
  db.query<{ id: string }>(sql`select id from users where id = any(${uuids(ids)}::uuid[]) and is_operator`)

export const upsertMember = (tx: HomeTx, spaceId: string, userId: string, role: Role) =>
  tx.run(sql`
    insert into members (space_id, user_id, role, since) values (${spaceId}, ${userId}, ${role}, ${new Date()})
    on conflict (space_id, user_id) do update set role = excluded.role`)

export const deleteMember = (tx: HomeTx, spaceId: string, userId: string) =>
  tx.run(sql`delete from members where space_id = ${spaceId} and user_id = ${userId}`)

/** Revokes a user's tokens that are valid only in this Space. */
export const revokeTokensOfSpace = (tx: HomeTx, spaceId: string, userId: string, at: Date) =>
  tx.run(sql`
    update tokens set revoked_at = ${at}
    where user_id = ${userId} and revoked_at is null and space_ids = array[${spaceId}::uuid]`)

/** Revokes all tokens of a user, and returns how many of them were active. */
export const revokeTokensOf = (tx: HomeTx, userId: string, at: Date): Promise<number> =>
  tx.run(sql`update tokens set revoked_at = ${at} where user_id = ${userId} and revoked_at is null`)

export type Membership = { spaceId: string; userId: string }

/** Role of a user in a Space, and whether the Space is suspended. */
export type MemberRole = { role: Role; isSuspended: boolean }

/** Returns the role for each of the given memberships that exists, and whether its Space is suspended. */
export const selectRoles = (db: Reader, memberships: Membership[]) =>
  db.query<Membership & MemberRole>(sql`
    select member.* from ${membershipRows(memberships)} cross join lateral (
      select space_id, user_id, role, spaces.suspended_at is not null as is_suspended
      from members join spaces on spaces.id = space_id
      where space_id = requested.space_id and user_id = requested.user_id offset 0
    ) member`)

const membershipRows = unnest<Membership>({ spaceId: uuid, userId: uuid })

export const insertToken = (tx: HomeTx, token: Token, hash: Buffer) =>
  tx.run(sql`
    insert into tokens (id, user_id, environment, name, hash, scopes, space_ids, networks, expires_at, created_at,
      last_characters)
    values (${token.id}, ${token.userId}, ${token.environment}, ${token.name}, ${hash}, ${token.scopes},
      ${token.spaceIds}, ${token.networks}, ${token.expiresAt}, ${token.createdAt}, ${token.lastCharacters})`)

export const tokenColumns = sql`id, user_id, environment, name, scopes, space_ids::text[] as space_ids, networks,
  expires_at, revoked_at, last_used_at, created_at, last_characters, replaced_by`

export const selectTokensByHash = (db: Reader, hashes: Buffer[]) =>
  db.query<Token & { hash: Buffer }>(sql`
    select hash, ${tokenColumns} from tokens where hash = any(${byteas(hashes)}::bytea[])`)

export const selectToken = (db: Reader, id: string) =>
  db.one<Pick<Token, 'scopes' | 'spaceIds' | 'networks'>>(sql`
    select scopes, space_ids::text[] as space_ids, networks from tokens where id = ${id}`)

export const selectAnyToken = (db: Reader, id: string) =>
  db.one<Token>(sql`select ${tokenColumns} from tokens where id = ${id}`)

export const revokeToken = (tx: HomeTx, id: string, at: Date) =>
  tx.run(sql`update tokens set revoked_at = coalesce(revoked_at, ${at}) where id = ${id}`)

/** Records that a token has been replaced. It then expires at `until` at the latest. */
export const markReplaced = (tx: HomeTx, id: string, replacedBy: string, until: Date) =>
  tx.run(sql`
    update tokens set replaced_by = ${replacedBy}, expires_at = least(expires_at, ${until}) where id = ${id}`)

export const markTokensUsed = (tx: HomeTx, ids: string[], at: Date) =>
  tx.run(sql`update tokens set last_used_at = ${at} where id = any(${ids}::uuid[])`)

/** A decision with its actor and reason. */
export type AuditEntry = {
  spaceId: string
  environment: Environment
  id: string
  /** Wall-clock time. */
  at: Date
  actor: string
  /** Object type and verb, such as `case.close`. */
  action: string
  objectType: string
  objectId: string
  reason: string
  details: object
}

/** Inserts an entry, and marks it for addition to the chain. */
export const insertAuditEntry = (tx: AnyTx, entry: AuditEntry) =>
  tx.run(sql`
    with entry as (
      insert into audit_entries (space_id, environment, id, at, actor, action, object_type, object_id, reason, details)
      values (${entry.spaceId}, ${entry.environment}, ${entry.id}, ${entry.at}, ${entry.actor}, ${entry.action},
        ${entry.objectType}, ${entry.objectId}, ${entry.reason}, ${JSON.stringify(entry.details)})
      returning space_id, environment, id
    )
    insert into unchained (space_id, environment, audit_id) select space_id, environment, id from entry`)

export const auditColumns = sql`space_id, environment, id, at, actor, action, object_type, object_id, reason, details`

// every space: operators' lists cover all Spaces
export const selectAuditEntries = (db: Reader, objectType: string, objectIds: string[]) =>
  db.query<AuditEntry>(sql`
    select ${auditColumns} from audit_entries
    where object_type = ${objectType} and object_id = any(${uuids(objectIds)}::uuid[])
    order by at, id`)

const maxSpaces = 100 // maximum number of Spaces listed by `/v1/me`

type OwnSpace = { id: string; name: string; country: string; role: Role }

/** Returns a user's Spaces. If `only` is not null, others are left out. */
export const selectOwnSpaces = (db: Reader, userId: string, only: readonly string[] | null) =>
  db.query<OwnSpace>(sql`
    select space.id, space.name, space.country, member.role
    from members member join spaces space on space.id = member.space_id
    where member.user_id = ${userId} and (${only}::uuid[] is null or space.id = any(${only}::uuid[]))
    order by space.id
    limit ${maxSpaces}`)
