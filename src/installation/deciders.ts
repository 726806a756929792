import type { Reader } from '../platform/db/database.ts'
import { must } from '../platform/must.ts'
import type { Decider } from '../spaces/audit.ts'
import { findUser } from '../spaces/spaces.ts'

/** An operator who decides over the API, by their email address, as commands have them in their own words. */
export async function operatorOf(db: Reader, userId: string): Promise<string> {
  return must(await findUser(db, userId), 'user who calls').email
}

export const deciderOf = async (db: Reader, userId: string, reason: string): Promise<Decider> => ({
  by: await operatorOf(db, userId),
  reason,
})
