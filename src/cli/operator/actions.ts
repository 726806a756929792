import { openSpace } from '../../installation/opening.ts'
import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Decider } from '../../spaces/audit.ts'
import type { Role } from '../../spaces/permissions.ts'
import { spaceIds, tokenIds, userIds } from '../../spaces/resources.ts'
import * as spaces from '../../spaces/spaces.ts'
import * as suspension from '../../spaces/suspension.ts'
import { invitationLink, invite } from '../../team/invitations.ts'
import { putMember } from '../../team/members.ts'
import { inTransaction, withDatabase } from './command-database.ts'
import { openRecordingParts } from './recording-parts.ts'

// What the operator's commands do: each opens the database, does its work and returns what is to be printed.

export type SpaceWish = { name: string; country: string }

export const createSpace = ({ name, country }: SpaceWish) =>
  inTransaction(async (tx) => {
    return describeSpace(await openSpace(tx, { name, country: country.toUpperCase() }))
  })

export const listSpaces = () =>
  withDatabase(async (db) => ({ spaces: (await spaces.listSpaces(db)).map(describeSuspension) }))

export const suspendSpace = (id: string, decider: Decider) =>
  inTransaction(async (tx) => describeSuspension(await suspension.suspendSpace(tx, id, decider)))

export const resumeSpace = (id: string, decider: Decider) =>
  inTransaction(async (tx) => describeSuspension(await suspension.resumeSpace(tx, id, decider)))

export type UserWish = { email: string; operator?: boolean }

export const addUser = ({ email, operator = false }: UserWish) =>
  inTransaction(async (tx) => describeUser(await spaces.addUser(tx, email, { isOperator: operator })))

export const setUser = (id: string, { operator }: { operator?: boolean }) =>
  inTransaction(async (tx) => {
    if (operator === undefined)
      throw new Refusal('arguments_invalid', { message: 'Nothing to set: add --operator or --no-operator.' })
    return describeUser(await spaces.setOperator(tx, id, operator))
  })

const describeUser = ({ id, email, isOperator }: spaces.User) => ({
  id: showId(userIds, id),
  email,
  operator: isOperator,
})

/** Who runs the installation, by a command that asks for no name. */
export const byCommand = (command: string) => ({ by: 'operator', reason: `pesewa ${command}` })

export type MemberWish = { space: string; user: string; role: string }

export const setMember = ({ space, user, role }: MemberWish) =>
  inTransaction(async (tx) => {
    // What is no role is refused, as the operator's word.
    await putMember(tx, { spaceId: space, userId: user, role: role as Role }, byCommand('members set'))
    return { spaceId: showId(spaceIds, space), userId: showId(userIds, user), role }
  })

export type Invitee = { space: string; role: Role }

/** Mails the link, and prints it: who runs the installation may hand it over. */
export const inviteUser = (email: string, { space, role }: Invitee) =>
  inTransaction(async (tx) => {
    const invitation = await invite(tx, { spaceId: space, email, role }, byCommand('users invite'))
    return { link: invitationLink(openRecordingParts(), invitation.id), expireTime: invitation.expiresAt }
  })

/** How long a token works, as it was written and in milliseconds; `null`: for ever. */
export type TokenLife = { text: string; ms: number | null }

export type TokenOptions = {
  user: string
  environment: string
  name: string
  scopes: string[]
  expires: TokenLife
  spaces?: string[]
  ips?: string[]
}

export const createToken = (options: TokenOptions) =>
  inTransaction(async (tx) => {
    const { token, text } = await spaces.createToken(tx, {
      userId: options.user,
      // What is none is refused, as the user's word.
      environment: options.environment as Environment,
      name: options.name,
      scopes: options.scopes,
      lifeMs: options.expires.ms,
      spaceIds: options.spaces ?? null,
      networks: options.ips ?? null,
    })
    return {
      id: showId(tokenIds, token.id),
      token: text,
      expireTime: token.expiresAt,
      // Nothing else says before that day that it will stop working.
      expiresAfter: options.expires.text,
    }
  })

export const listTokens = () =>
  withDatabase(async (db) => ({ tokens: (await spaces.listTokens(db)).map(describeToken) }))

export const revokeToken = (id: string) =>
  inTransaction(async (tx) => {
    await spaces.revokeToken(tx, id)
    return { id: showId(tokenIds, id), revoked: true }
  })

export const describeSpace = ({ id, name, country, createdAt }: spaces.Space) => ({
  id: showId(spaceIds, id),
  name,
  country,
  createTime: createdAt,
})

const describeSuspension = (space: spaces.Space) => ({
  ...describeSpace(space),
  suspended: space.suspendedAt !== null,
})

const describeToken = (token: spaces.Token) => ({
  id: showId(tokenIds, token.id),
  userId: showId(userIds, token.userId),
  environment: token.environment,
  name: token.name,
  scopes: token.scopes,
  spaceIds: token.spaceIds?.map((id) => showId(spaceIds, id)) ?? null,
  networks: token.networks,
  expireTime: token.expiresAt,
  revokeTime: token.revokedAt,
  lastUseTime: token.lastUsedAt,
})
