import { randomBytes } from 'node:crypto'
import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import { cookie, readCookie } from '../../platform/http/admission/cookies.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import type { Platform } from '../../platform/platform.ts'
import { hashSecret } from '../spaces/tokens.ts'

const lifeMs = durationMs('10m') // how long a code can be entered after its link was opened
const secretBytes = 32
const cookieName = '-second-step'
const maxDeletedAtOnce = 1_000 // unfinished sign-ins deleted per statement

type StepParts = Pick<Platform, 'baseUrl'>

/**
 * Marks a browser in which a link has been used but a code must still be entered. The browser's cookie is not a
 * session; it can only be used to enter that code.
 */
export async function beginSecondStep(
  tx: HomeTx,
  { baseUrl }: StepParts,
  userId: string,
  { reply }: Browser,
) {
  const secret = randomBytes(secretBytes).toString('base64url')
  await tx.run(sql`
    insert into sign_in_second_steps (hash, user_id, expires_at)
    values (${hashSecret(secret)}, ${userId}, ${new Date(Date.now() + lifeMs)})`)
  reply.header('set-cookie', cookie(baseUrl, cookieName, secret, rules))
}

const rules = { sameSite: 'Strict', maxAgeSeconds: lifeMs / 1_000 } as const

const hashIn = ({ baseUrl }: StepParts, { request }: Browser) =>
  hashSecret(readCookie(request, baseUrl, cookieName) ?? '')

/**
 * Returns the user who has yet to enter a sign-in code in this browser, or `undefined` if the browser has no
 * unfinished sign-in.
 */
export const findSecondStep = (db: Reader, parts: StepParts, browser: Browser) =>
  db.one<{ userId: string }>(sql`
    select user_id from sign_in_second_steps
    where hash = ${hashIn(parts, browser)} and expires_at > ${new Date()}`)

/** Ends the second step. Returns false for the second of two concurrent requests. */
export async function endSecondStep(tx: HomeTx, parts: StepParts, browser: Browser): Promise<boolean> {
  browser.reply.header('set-cookie', cookie(parts.baseUrl, cookieName, '', rules))
  return (await tx.run(sql`delete from sign_in_second_steps where hash = ${hashIn(parts, browser)}`)) > 0
}

/** Deletes one batch of the second steps that expired before `before`, and returns the number deleted. */
export const forgetSecondSteps = (tx: HomeTx, before: Date) =>
  tx.run(sql`
    delete from sign_in_second_steps where hash in (
      select hash from sign_in_second_steps where expires_at < ${before} limit ${maxDeletedAtOnce})`)
