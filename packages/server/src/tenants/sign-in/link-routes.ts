import { must } from '@pesewa/values'
import Type from 'typebox'
import type { HomeTx } from '../../platform/db/database.ts'
import { callerKey } from '../../platform/http/admission/caller.ts'
import { type Browser, openRoute } from '../../platform/http/admission/open-route.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import {
  flag,
  nullableText,
  object,
  optional,
  text,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { enqueue, outsideSpaces } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { selectSpace, selectUserByEmail } from '../spaces/store.ts'
import { acceptInvitation, lockInvitation } from '../team/invitations.ts'
import { recordAttempt } from './attempt-store.ts'
import { confirmationFor, findLinkRefusal, type LinkRecipient, maskEmail } from './confirmation.ts'
import { lastUserIn } from './known-browsers.ts'
import { type Link, markLinkUsed } from './link-store.ts'
import { lockLink } from './links.ts'
import { markRequestingBrowser } from './requesting-browsers.ts'
import { type SignInLimits, signedIn, signInByLink } from './signing-in.ts'

const anEmail = text(3, 254, { pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$' })
const secretAfter = (mark: string) => withDescription(text(1, 200), `The part of the link after \`${mark}\`.`)
const typedEmail = optional(
  withDescription(
    anEmail,
    'Email address that the link was sent to, as typed by the user. Required if the preview says so.',
  ),
)

const preview = object(
  {
    email: Type.String({
      description: 'Masked email address of the user: its first letter and its domain.',
      examples: ['a…@shop.example'],
    }),
    spaceName: { ...nullableText, description: 'Space that the invitation is for; null for sign-in links.' },
    role: { ...nullableText, description: 'Role granted by the invitation; null for sign-in links.' },
    isEmailNeeded: flag(
      'True if the full email address is required, because the link was requested in another browser or another user is signed in here.',
    ),
    signedInEmail: {
      ...nullableText,
      description:
        'Email address of another user who is signed in here and would be signed out; null if there is none.',
    },
  },
  { title: 'LinkPreview' },
)

/**
 * Routes for signing in with a link. The preview changes nothing, so a link is not used up when its page is
 * opened, or when a mail scanner follows it.
 */
export function linkRoutes(parts: Platform, limits: SignInLimits): RawRoute[] {
  const { baseUrl, home } = parts
  return [
    openRoute(baseUrl, {
      url: '/v1/sign-in/link',
      summary: 'Request a sign-in link by email',
      example: { email: 'ama@shop.example' },
      body: object({ email: withDescription(anEmail, 'Email address of a member of a Space.') }),
      result: object({
        isSent: flag('Always true, so that the response does not reveal which addresses exist.'),
      }),
      write: async ({ email }, browser) => {
        await limits.begin(browser)
        // The user is looked up in a job, so this response takes the same time whether or not the user exists.
        const job = {
          ...outsideSpaces,
          email: email.trim(),
          address: callerKey(browser.address),
          browser: markRequestingBrowser(parts, browser).toString('hex'),
          browserOf: lastUserIn(parts, browser),
        }
        await home.transaction((tx) => enqueue(tx, 'sign-in.make-link', job))
        return { isSent: true }
      },
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/link/preview',
      summary: 'Preview a sign-in link',
      about: 'Does not use the link.',
      reasons: ['sign_in_failed'],
      example: { secret: 'q8Zk3rV1n5' },
      body: object({ secret: secretAfter('#link=') }),
      result: preview,
      write: ({ secret }, browser) => limits.attempt(browser, () => previewLink(parts, secret, browser)),
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/link/redeem',
      summary: 'Sign in with a link',
      reasons: ['sign_in_failed', 'state_conflict'],
      example: { secret: 'q8Zk3rV1n5' },
      body: object({ secret: secretAfter('#link='), email: typedEmail }),
      result: signedIn,
      write: ({ secret, email }, browser) =>
        limits.attempt(browser, () => redeemLink(parts, secret, email, browser)),
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/invitation/preview',
      summary: 'Preview an invitation',
      about: 'Does not accept it.',
      reasons: ['sign_in_failed'],
      example: { secret: 'q8Zk3rV1n5' },
      body: object({ secret: secretAfter('#invitation=') }),
      result: preview,
      write: ({ secret }, browser) =>
        limits.attempt(browser, () => previewInvitation(parts, secret, browser)),
    }),
    openRoute(baseUrl, {
      url: '/v1/sign-in/invitation',
      summary: 'Accept an invitation and sign in',
      reasons: ['sign_in_failed', 'state_conflict'],
      example: { secret: 'q8Zk3rV1n5' },
      body: object({ secret: secretAfter('#invitation='), email: typedEmail }),
      result: signedIn,
      write: ({ secret, email }, browser) =>
        limits.attempt(browser, () => redeemInvitation(parts, secret, email, browser)),
    }),
  ]
}

async function previewLink(parts: Platform, secret: string, browser: Browser) {
  const shown = await parts.home.transaction(async (tx) => {
    const link = await lockLink(tx, parts.seals, secret)
    if (link?.isOpen) return present(tx, parts, link, { spaceName: null, role: null }, browser)
    if (link) await recordFailure(tx, link, browser)
    return undefined
  })
  if (!shown) throw new Refusal('sign_in_failed')
  return shown
}

async function redeemLink(parts: Platform, secret: string, email: string | undefined, browser: Browser) {
  const done = await parts.home.transaction(async (tx) => {
    const link = await lockLink(tx, parts.seals, secret)
    const fault = link?.isOpen
      ? await findLinkRefusal(tx, parts, link, email, browser)
      : new Refusal('sign_in_failed')
    if (link && !fault) {
      await markLinkUsed(tx, link.id)
      return signInByLink(parts, tx, link.userId, browser)
    }
    // The failed attempt is committed although the request is refused, so that the user can see it in the list
    // of their sign-in attempts.
    if (link && fault?.reason === 'sign_in_failed') await recordFailure(tx, link, browser)
    return fault
  })
  if (done instanceof Refusal) throw done
  return must(done, 'outcome of a link')
}

const recordFailure = (tx: HomeTx, { userId }: Link, browser: Browser) =>
  recordAttempt(tx, { userId, method: 'link', isStepUp: false, result: 'failed' }, browser)

const previewInvitation = ({ home, ...parts }: Platform, secret: string, browser: Browser) =>
  home.transaction(async (tx) => {
    const { email, role, spaceId } = await lockInvitation(tx, parts.seals, secret)
    const space = must(await selectSpace(tx, spaceId), 'Space of an invitation')
    const membership = { spaceName: space.name, role }
    return present(tx, parts, await invitedRecipient(tx, email), membership, browser)
  })

const redeemInvitation = (
  { home, ...parts }: Platform,
  secret: string,
  email: string | undefined,
  browser: Browser,
) =>
  home.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, parts.seals, secret)
    const fault = await findLinkRefusal(
      tx,
      parts,
      await invitedRecipient(tx, invitation.email),
      email,
      browser,
    )
    if (fault) throw fault
    return signInByLink(parts, tx, await acceptInvitation(tx, invitation), browser)
  })

/**
 * Returns the recipient of an invitation in the form of a link's recipient. Invitations are never requested in
 * a browser.
 */
const invitedRecipient = async (tx: HomeTx, email: string): Promise<LinkRecipient> => ({
  userId: (await selectUserByEmail(tx, email))?.id,
  email,
  askedBy: null,
})

const present = async (
  tx: HomeTx,
  parts: Pick<Platform, 'baseUrl' | 'seals'>,
  guest: LinkRecipient,
  membership: { spaceName: string | null; role: string | null },
  browser: Browser,
) => ({ email: maskEmail(guest.email), ...membership, ...(await confirmationFor(tx, parts, guest, browser)) })
