import type { Reader, Tx } from '../platform/db/database.ts'
import type { Call } from '../platform/http/route.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Role } from '../spaces/permissions.ts'
import { type Membership, selectRoles } from '../spaces/spaces.ts'

/** What a user is in a Space, if anything. */
export const roleOf = async (db: Reader, membership: Membership): Promise<Role | undefined> =>
  (await selectRoles(db, [membership]))[0]?.role

export const isAdministrator = async (db: Reader, membership: Membership): Promise<boolean> =>
  rankOf(await roleOf(db, membership)) > 0

/** Whoever administers a Space stands above those who work in it, and owners above them. */
const rankOf = (role: Role | undefined): number => (role === 'owner' ? 2 : role === 'admin' ? 1 : 0)

/** Whether somebody with a role may make others, or unmake them, what these roles are. */
export const reaches = (own: Role | undefined, roles: readonly (Role | undefined)[]): boolean =>
  roles.every((role) => rankOf(own) >= rankOf(role))

/**
 * Nobody raises anyone above themselves, nor lowers who stands above them. `userId`: who decides; none: whoever runs the
 * installation. Read in the transaction that holds the Space, so that who was lowered a moment ago raises nobody.
 *
 * @throws Refusal `access_denied`
 */
export async function checkReach(
  tx: Reader,
  spaceId: string,
  userId: string | undefined,
  roles: readonly (Role | undefined)[],
): Promise<void> {
  if (userId === undefined || reaches(await roleOf(tx, { spaceId, userId }), roles)) return
  throw new Refusal('access_denied', { message: 'Only an owner decides about owners.' })
}

/**
 * Members are of both environments. A token of test lies in more places than one of live, and must not be able to make an
 * owner of live; who is signed in at the console is a person, whichever environment they look at.
 */
export const notByTokensOfTest =
  <C extends Pick<Call, 'session' | 'scope'>, Result>(write: (tx: Tx, call: C) => Promise<Result>) =>
  async (tx: Tx, call: C): Promise<Result> => {
    if (!call.session && call.scope.environment === 'test')
      throw new Refusal('access_denied', {
        message:
          'Members are of both environments: a token of live changes them, or somebody at the console.',
      })
    return write(tx, call)
  }
