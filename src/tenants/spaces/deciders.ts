import { must } from '@pesewa/values'
import type { Reader } from '../../platform/db/database.ts'
import type { Decider } from './audit.ts'
import { selectUser } from './store.ts'

/** Returns the email address of the calling user, who is the actor in the audit entries of API calls. */
export async function emailOf(db: Reader, userId: string): Promise<string> {
  return must(await selectUser(db, userId), 'user who calls').email
}

export const deciderOf = async (db: Reader, userId: string, reason: string): Promise<Decider> => ({
  by: await emailOf(db, userId),
  reason,
})
