import type { HomeTx, Reader } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Role } from '../spaces/permissions.ts'
import { type Membership, selectRoles } from '../spaces/store.ts'

/** Returns the role of a user in a Space, or `undefined` if they are not a member. */
export const roleOf = async (db: Reader, membership: Membership): Promise<Role | undefined> =>
  (await selectRoles(db, [membership]))[0]?.role

export const isAdministrator = async (db: Reader, membership: Membership): Promise<boolean> =>
  rankOf(await roleOf(db, membership)) > 0

/** Returns the rank of a role for managing members. Owners rank above admins, who rank above all others. */
const rankOf = (role: Role | undefined): number => (role === 'owner' ? 2 : role === 'admin' ? 1 : 0)

/** Returns whether a role is allowed to grant or revoke all of the given roles. */
export const canManageRoles = (own: Role | undefined, roles: readonly (Role | undefined)[]): boolean =>
  roles.every((role) => rankOf(own) >= rankOf(role))

/**
 * Checks that nobody grants a role above their own, or changes a member who ranks above them. `userId` is the
 * acting user; it is undefined for an operator who uses a command. The Space must be locked, so that a member
 * who has just been demoted cannot promote anyone.
 *
 * @throws Refusal `access_denied`
 */
export async function checkCanManageRoles(
  tx: Reader,
  spaceId: string,
  userId: string | undefined,
  roles: readonly (Role | undefined)[],
): Promise<void> {
  if (userId === undefined || canManageRoles(await roleOf(tx, { spaceId, userId }), roles)) return
  throw new Refusal('access_denied', { message: 'Only an owner can add, change or remove owners.' })
}

/**
 * Returns a handler that refuses test tokens. Members belong to both environments, and test tokens are stored
 * less carefully than live ones, so a test token must not be able to create a live owner. Console sessions are
 * allowed in either environment.
 */
export const refusingTestTokens =
  <C extends Pick<Call, 'session' | 'scope'>, Result>(write: (tx: HomeTx, call: C) => Promise<Result>) =>
  async (tx: HomeTx, call: C): Promise<Result> => {
    if (!call.session && call.scope.environment === 'test')
      throw new Refusal('access_denied', {
        message: 'Members belong to both environments. Change them with a live token or in the console.',
      })
    return write(tx, call)
  }
