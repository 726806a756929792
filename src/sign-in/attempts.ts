import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { newId } from '../platform/ids.ts'

export const attemptMethods = ['link', 'passkey', 'totp', 'recovery_code', 'oidc'] as const
export const attemptResults = ['succeeded', 'failed', 'locked'] as const

/** Somebody tried to sign in as a person, or to show again that they are that person. Real time. */
export type SignInAttempt = {
  id: string
  method: (typeof attemptMethods)[number]
  isStepUp: boolean
  result: (typeof attemptResults)[number]
  address: string
  agent: string
  at: Date
}

const maxKept = 500 // limit: tries to sign in that are kept of a person
const maxAgent = 200 // limit: characters of a browser’s name that are kept with a try to sign in
const maxDeletedAtOnce = 1_000 // limit: tries to sign in that are deleted at once

type NewAttempt = Pick<SignInAttempt, 'method' | 'isStepUp' | 'result'> & { userId: string }

/** Writes down a try. The newest are kept: whoever tries often fills no table. */
export async function recordAttempt(
  tx: Tx,
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

/** Newest first. */
export const listAttempts = (db: Reader, userId: string, limit: number) =>
  db.query<SignInAttempt>(sql`
    select id, method, is_step_up, result, address, agent, at from sign_in_attempts
    where user_id = ${userId}
    order by id desc
    limit ${limit}`)

/** Deletes some of those before a moment, and returns how many. */
export const forgetAttempts = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from sign_in_attempts where id in (
      select id from sign_in_attempts where at < ${before} limit ${maxDeletedAtOnce})`)
