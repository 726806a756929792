import type { Reader } from '../platform/db/database.ts'
import type { Role } from './permissions.ts'
import { type Membership, selectRoles } from './store.ts'

/** What a user is in a Space, if anything. */
const roleOf = async (db: Reader, membership: Membership): Promise<Role | undefined> =>
  (await selectRoles(db, [membership]))[0]?.role

export const isAdministrator = async (db: Reader, membership: Membership): Promise<boolean> => {
  const role = await roleOf(db, membership)
  return role === 'owner' || role === 'admin'
}
