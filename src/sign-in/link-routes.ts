import Type from 'typebox'
import { callerAt } from '../platform/http/caller.ts'
import { openRoute } from '../platform/http/open-route.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { described, object, text } from '../platform/http/shapes.ts'
import { enqueue, ofNoSpace } from '../platform/jobs/queue.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { acceptInvitation } from '../team/invitations.ts'
import { recordAttempt } from './attempts.ts'
import { ownerOf } from './known-browsers.ts'
import { redeemLink } from './links.ts'
import { type CountAttempt, signedIn, signInByLink } from './signing-in.ts'

/** Signing in by a link, for who has no session yet. Wrong, used, foreign and expired look the same. */
export function linkRoutes(parts: Platform, countAttempt: CountAttempt): RawRoute[] {
  const { baseUrl, db, seals } = parts
  return [
    openRoute(baseUrl, {
      url: '/v1/sign-in/link',
      summary: 'Ask for a link to sign in, by mail',
      example: { email: 'ama@shop.example' },
      body: object({
        email: described(
          text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$' }),
          'The address of somebody who is a member of a Space.',
        ),
      }),
      result: object({
        isSent: Type.Boolean({ description: 'Always true: whose address it is is nobody’s business.' }),
      }),
      write: async ({ email }, browser) => {
        countAttempt(browser)
        // Whether there is such a person is found out later: here it takes the same time for all.
        const job = {
          ...ofNoSpace,
          email,
          address: callerAt(browser.address),
          browserOf: ownerOf(parts, browser),
        }
        await db.transaction((tx) => enqueue(tx, 'sign-in.make-link', job))
        return { isSent: true }
      },
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/link/redeem',
      summary: 'Sign in with what a link has after `#link=`',
      reasons: ['sign_in_failed'],
      example: { secret: 'q8Zk3rV1n5' },
      body: object({ secret: described(text(1, 200), 'What the link has after `#link=`.') }),
      result: signedIn,
      write: async ({ secret }, browser) => {
        countAttempt(browser)
        const done = await db.transaction(async (tx) => {
          const link = await redeemLink(tx, seals, secret)
          if (link?.isGood) return signInByLink(parts, tx, link.userId, browser)
          // Kept although it is refused: whose link it was may want to see that.
          if (link)
            await recordAttempt(tx, { ...link, method: 'link', isStepUp: false, result: 'failed' }, browser)
          return undefined
        })
        if (!done) throw new Refusal('sign_in_failed')
        return done
      },
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/invitation',
      summary: 'Accept an invitation with what its link has after `#invitation=`, and sign in',
      reasons: ['sign_in_failed'],
      example: { secret: 'q8Zk3rV1n5' },
      body: object({ secret: described(text(1, 200), 'What the link has after `#invitation=`.') }),
      result: signedIn,
      write: async ({ secret }, browser) => {
        countAttempt(browser)
        return db.transaction(async (tx) =>
          signInByLink(parts, tx, await acceptInvitation(tx, seals, secret), browser),
        )
      },
    }),
  ]
}
