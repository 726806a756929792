import { must } from '@pesewa/values'
import type { Reader } from '../../platform/db/database.ts'
import { sessionSecretIn } from '../../platform/http/admission/credentials.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { findSession } from '../spaces/sessions.ts'
import { selectUser } from '../spaces/store.ts'
import { lastUserIn } from './known-browsers.ts'
import { isRequestingBrowser } from './requesting-browsers.ts'

type ConfirmationParts = Pick<Platform, 'baseUrl' | 'seals'>

/**
 * The user whom a link signs in. `userId` is undefined if an invitation will create the user. `askedBy` is a
 * hash that identifies the browser that requested the link; it is null for links that were not requested in a
 * browser.
 */
export type LinkRecipient = { userId: string | undefined; email: string; askedBy: Buffer | null }

/** The confirmation that a link requires before it signs the user in. */
export type LinkConfirmation = { isEmailNeeded: boolean; signedInEmail: string | null }

/**
 * Returns the confirmation that the user must give before a link signs them in. This prevents login CSRF, in
 * which another site opens a link to its own account in a victim's browser, and the victim then works in that
 * account without noticing. Nobody would type the email address of a stranger's account, so the link's email
 * address must be entered if the link was requested in another browser or would sign out another user.
 */
export async function confirmationFor(
  db: Reader,
  parts: ConfirmationParts,
  { userId, askedBy }: LinkRecipient,
  browser: Browser,
): Promise<LinkConfirmation> {
  const session = await findSession(db, sessionSecretIn(browser.request, parts.baseUrl), new Date())
  const isOther = session !== undefined && session.userId !== userId
  const isFromElsewhere =
    askedBy !== null && !isRequestingBrowser(parts, browser, askedBy) && lastUserIn(parts, browser) !== userId
  return {
    isEmailNeeded: isOther || isFromElsewhere,
    signedInEmail: isOther ? must(await selectUser(db, session.userId), 'user of a session').email : null,
  }
}

/** Returns the refusal of a link that cannot sign the user in yet, or `undefined` if it can. */
export async function findLinkRefusal(
  db: Reader,
  parts: ConfirmationParts,
  guest: LinkRecipient,
  typedEmail: string | undefined,
  browser: Browser,
): Promise<Refusal | undefined> {
  if (typedEmail !== undefined) return sameEmail(typedEmail, guest.email) ? undefined : wrongEmail()
  const { isEmailNeeded } = await confirmationFor(db, parts, guest, browser)
  return isEmailNeeded ? new Refusal('state_conflict', { message: emailNeeded }) : undefined
}

const sameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.toLowerCase()

const emailNeeded =
  'This link was requested in another browser, or another user is signed in here. Enter the email address to which the link was sent.'
const wrongEmail = () =>
  new Refusal('sign_in_failed', {
    message: 'This link was sent to another email address.',
    details: [{ param: 'email', errors: ['does not match the link'] }],
  })

/**
 * Masks an email address, for example as `a…@shop.example`. Its owner recognizes it, but a stranger cannot tell
 * what it is.
 */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/su, '$1…')
