import { must } from '@pesewa/values'
import type { Reader } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import type { Decider } from './audit.ts'
import { selectUser } from './store.ts'

type Actor = Pick<Call, 'userId' | 'operator'>

/**
 * Returns the actor in the audit entries of API calls: the email address of the calling user, or the name of the
 * operator who runs a command.
 */
export async function actorOf(db: Reader, { userId, operator }: Actor): Promise<string> {
  return operator ?? must(await selectUser(db, userId), 'user who calls').email
}

export const deciderOf = async (db: Reader, actor: Actor, reason: string): Promise<Decider> => ({
  by: await actorOf(db, actor),
  reason,
})
