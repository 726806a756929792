import type { Reader } from '../platform/db/database.ts'
import { must } from '../platform/must.ts'
import type { Decider } from './audit.ts'
import { selectUser } from './store.ts'

/** Somebody who decides over the API, by their email address, as commands have them in their own words. */
export async function emailOf(db: Reader, userId: string): Promise<string> {
  return must(await selectUser(db, userId), 'user who calls').email
}

export const deciderOf = async (db: Reader, userId: string, reason: string): Promise<Decider> => ({
  by: await emailOf(db, userId),
  reason,
})
