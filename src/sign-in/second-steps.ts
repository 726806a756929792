import { randomBytes } from 'node:crypto'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { durationMs } from '../platform/duration.ts'
import { cookie, readCookie } from '../platform/http/cookies.ts'
import type { Browser } from '../platform/http/open-route.ts'
import type { Platform } from '../platform/platform.ts'
import { hashSecret } from '../spaces/tokens.ts'

const lifeMs = durationMs('10m') // limit: how long after a link was used its code may come
const secretBytes = 32
const cookieName = '-second-step'
const maxDeletedAtOnce = 1_000 // limit: sign-ins without a code that are deleted at once

type StepParts = Pick<Platform, 'baseUrl'>

/** A browser in which a link was used, and that has yet to send a code. It is no session: its cookie is good for that code alone. */
export async function beginSecondStep(tx: Tx, { baseUrl }: StepParts, userId: string, { reply }: Browser) {
  const secret = randomBytes(secretBytes).toString('base64url')
  await tx.run(sql`
    insert into sign_in_second_steps (hash, user_id, expires_at)
    values (${hashSecret(secret)}, ${userId}, ${new Date(Date.now() + lifeMs)})`)
  reply.header('set-cookie', cookie(baseUrl, cookieName, secret, rules))
}

const rules = { sameSite: 'Strict', maxAgeSeconds: lifeMs / 1_000 } as const

const hashIn = ({ baseUrl }: StepParts, { request }: Browser) =>
  hashSecret(readCookie(request, baseUrl, cookieName) ?? '')

/** Whose code a browser has yet to send. */
export const findSecondStep = (db: Reader, parts: StepParts, browser: Browser) =>
  db.one<{ userId: string }>(sql`
    select user_id from sign_in_second_steps
    where hash = ${hashIn(parts, browser)} and expires_at > ${new Date()}`)

/** Ends it, and returns whether it was there: of two at once the second is none. */
export async function endSecondStep(tx: Tx, parts: StepParts, browser: Browser): Promise<boolean> {
  browser.reply.header('set-cookie', cookie(parts.baseUrl, cookieName, '', rules))
  return (await tx.run(sql`delete from sign_in_second_steps where hash = ${hashIn(parts, browser)}`)) > 0
}

/** Deletes some of those that have expired, and returns how many. */
export const forgetSecondSteps = (tx: Tx, before: Date) =>
  tx.run(sql`
    delete from sign_in_second_steps where hash in (
      select hash from sign_in_second_steps where expires_at < ${before} limit ${maxDeletedAtOnce})`)
