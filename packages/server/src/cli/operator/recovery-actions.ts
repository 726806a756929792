import type { HomeTx } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import { baseUrlOf } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { createSeals } from '../../platform/seals.ts'
import { readSecretKey } from '../../platform/secret-key.ts'
import { readSettings } from '../../slices.ts'
import { removeTotp } from '../../tenants/sign-in/codes.ts'
import { createLink, printedLinkMs } from '../../tenants/sign-in/links.ts'
import { deleteIdentity } from '../../tenants/sign-in/oidc/store.ts'
import type { Role } from '../../tenants/spaces/permissions.ts'
import { tokenIds, userIds } from '../../tenants/spaces/resources.ts'
import * as spaces from '../../tenants/spaces/spaces.ts'
import { selectUserByEmail } from '../../tenants/spaces/store.ts'
import { invitationLink, invite } from '../../tenants/team/invitations.ts'
import { noteSignInChange } from '../../tenants/team/members.ts'
import { inHomeTransaction } from './command-database.ts'

// Commands that give somebody access as another person, or that make signing in easier. They have no route,
// because an operator's token must not become access to every Space, and because they are also needed when nobody
// can sign in.

/** Actor and reason recorded for commands that do not ask for the operator's name. */
const byCommand = (command: string) => ({ by: 'operator', reason: `pesewa ${command}` })

/** The parts that sign-in links need. */
function linkParts() {
  const settings = readSettings(process.env)
  return { seals: createSeals(readSecretKey(settings)), baseUrl: baseUrlOf(settings) }
}

/** Lifetime of a token, as typed and in milliseconds; `ms` is `null` if the token never expires. */
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
  inHomeTransaction(async (tx) => {
    const { token, text } = await spaces.createToken(tx, {
      userId: options.user,
      // `createToken` refuses unknown environments.
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
      // Printed because there will be no other warning before the token expires.
      expiresAfter: options.expires.text,
    }
  })

export type Invitee = { space: string; role: Role }

/** Emails an invitation link, and also returns it so that the operator can pass it on. */
export const inviteUser = (email: string, { space, role }: Invitee) =>
  inHomeTransaction(async (tx) => {
    const invitation = await invite(tx, { spaceId: space, email, role }, byCommand('users invite'))
    return { link: invitationLink(linkParts(), invitation.id), expireTime: invitation.expiresAt }
  })

type Person = { email: string }

export const createSignInLink = (person: Person) =>
  inHomeTransaction(async (tx) => ({
    link: await createLink(tx, linkParts(), (await find(tx, person)).id, printedLinkMs),
  }))

/** Removes a lost authenticator app and its recovery codes, so that the user can sign in with only a link. */
export const removeApp = (person: Person) =>
  inHomeTransaction(async (tx) => {
    const user = await find(tx, person)
    await removeTotp(tx, user.id, { address: 'the installation', agent: 'pesewa users remove-app' })
    await noteSignInChange(tx, user, byCommand('users remove-app'), 'member.remove_app')
    return { id: showId(userIds, user.id), email: user.email }
  })

/**
 * Unlinks a user from an identity whose subject has changed at the identity provider. The next sign-in with the
 * verified email address links the user again.
 */
export const unlinkIdentity = (person: Person) =>
  inHomeTransaction(async (tx) => {
    const user = await find(tx, person)
    if (!(await deleteIdentity(tx, user.id)))
      throw new Refusal('state_conflict', {
        message: 'This user is not linked to an identity provider.',
      })
    await noteSignInChange(tx, user, byCommand('users unlink'), 'member.unlink')
    return { id: showId(userIds, user.id), email: user.email }
  })

async function find(tx: HomeTx, { email }: Person) {
  const user = await selectUserByEmail(tx, email)
  if (!user) throw new Refusal('not_found', { message: 'There is no user with this email address.' })
  return user
}
