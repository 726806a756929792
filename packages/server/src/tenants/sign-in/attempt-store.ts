import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import { newId } from '../../platform/ids.ts'

export const attemptMethods = ['link', 'passkey', 'totp', 'recovery_code', 'oidc', 'mailed_code'] as const
export const attemptResults = ['succeeded', 'failed', 'locked'] as const

/** An attempt to sign in as a user, or to step up. Its time is wall-clock time. */
export type SignInAttempt = {
  id: string
  method: (typeof attemptMethods)[number]
  isStepUp: boolean
  result: (typeof attemptResults)[number]
  address: string
  agent: string
  at: Date
}

const maxKept = 500
const maxAgent = 200 // maximum number of characters of the User-Agent stored with a sign-in attempt
const maxDeletedAtOnce = 1_000

type NewAttempt = Pick<SignInAttempt, 'method' | 'isStepUp' | 'result'> & { userId: string }

/** Records an attempt and keeps only the user's newest ones, so that repeated attempts cannot fill the table. */
export async function recordAttempt(
  tx: HomeTx,
  { userId, method, isStepUp, result }: NewAttempt,
  { address, agent }: Pick<Browser, 'address' | 'agent'>,
): Promise<void> {
  const at = new Date()
  await tx.run(sql`
    insert into sign_in_attempts (id, user_id, method, is_step_up, result, address, agent, at)
    values (${newId(at)}, ${userId}, ${method}, ${isStepUp}, ${result}, ${address}, ${agent.slice(0, maxAgent)}, ${at})`)
  await tx.run(sql`
    delete from sign_in_attempts where user_id = ${userId} and id <= (
      select id from sign_in_attempts where user_id = ${userId} order by id desc offset ${maxKept} limit 1)`)
}

/** Returns a user's attempts, newest first. */
export const listAttempts = (db: Reader, userId: string, limit: number) =>
  db.query<SignInAttempt>(sql`
    select id, method, is_step_up, result, address, agent, at from sign_in_attempts
    where user_id = ${userId}
    order by id desc
    limit ${limit}`)

/** Deletes one batch of the attempts made before `before`, and returns the number deleted. */
export const forgetAttempts = (tx: HomeTx, before: Date) =>
  tx.run(sql`
    delete from sign_in_attempts where id in (
      select id from sign_in_attempts where at < ${before} limit ${maxDeletedAtOnce})`)
