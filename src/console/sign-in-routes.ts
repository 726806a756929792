import Type from 'typebox'
import type { Tx } from '../platform/db/database.ts'
import { callerAt } from '../platform/http/caller.ts'
import { sessionCookie } from '../platform/http/credentials.ts'
import { type Browser, openRoute } from '../platform/http/open-route.ts'
import { tooManyRequests } from '../platform/http/rate-limits.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { object, text } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { enqueue, ofNoSpace } from '../platform/jobs/queue.ts'
import type { Platform } from '../platform/platform.ts'
import { createWindowCounter } from '../platform/window-counter.ts'
import { acceptInvitation } from '../spaces/invitations.ts'
import { userIds } from '../spaces/resources.ts'
import { beginSession, type SignInMethod } from '../spaces/sessions.ts'
import { redeemLink } from './links.ts'

const attemptsPerAddress = 20 // limit: tries to sign in from one address in a quarter of an hour
const windowMs = 15 * 60_000
const maxCounted = 10_000 // limit: addresses whose tries to sign in a node counts

const done = object(
  { userId: Type.String({ examples: ['usr-01kaj3v5w8e4r9tbn2m6c7d0xz'] }) },
  { title: 'SignedIn' },
)

/** Signing in, for who has no session yet. Wrong, used, foreign and expired look the same. */
export function signInRoutes(parts: Platform): RawRoute[] {
  const { baseUrl, db, seals, settings } = parts
  const attempts = createWindowCounter(attemptsPerAddress, windowMs, maxCounted)
  const count = (address: string) => {
    if (settings.rateLimits === 'off') return
    const caller = callerAt(address)
    const waitMs = attempts.waitMs(caller)
    if (waitMs > 0) throw tooManyRequests({ name: 'sign-in-limit', waitMs })
    attempts.count(caller)
  }
  return [
    openRoute(baseUrl, {
      url: '/v1/sign-in/link',
      summary: 'Ask for a link to sign in, by mail',
      body: object({ email: text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$' }) }),
      result: object({
        isSent: Type.Boolean({ description: 'Always true: whose address it is is nobody’s business.' }),
      }),
      write: async ({ email }, { address }) => {
        count(address)
        // Whether there is such a person is found out later: here it takes the same time for all.
        await db.transaction((tx) => enqueue(tx, 'sign-in.mail-link', { ...ofNoSpace, email }))
        return { isSent: true }
      },
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/link/redeem',
      summary: 'Sign in with what a link has after `#link=`',
      body: object({ secret: text(1, 200) }),
      result: done,
      write: async ({ secret }, browser) => {
        count(browser.address)
        return db.transaction(async (tx) =>
          signIn(parts, tx, await redeemLink(tx, seals, secret), 'link', browser),
        )
      },
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/invitation',
      summary: 'Accept an invitation with what its link has after `#invitation=`, and sign in',
      body: object({ secret: text(1, 200) }),
      result: done,
      write: async ({ secret }, browser) => {
        count(browser.address)
        return db.transaction(async (tx) =>
          signIn(parts, tx, await acceptInvitation(tx, seals, secret), 'link', browser),
        )
      },
    }),
  ]
}

/** Begins a session in the browser, in place of whatever it had. */
export async function signIn(
  { baseUrl }: Platform,
  tx: Tx,
  userId: string,
  method: SignInMethod,
  { address, agent, reply }: Browser,
) {
  const secret = await beginSession(tx, { userId, method, address, agent }, new Date())
  reply.header('set-cookie', sessionCookie(baseUrl, secret))
  return { userId: showId(userIds, userId) }
}
