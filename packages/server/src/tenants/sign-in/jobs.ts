import { durationMs } from '../../platform/duration.ts'
import { enqueue, outsideSpaces } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { createMailer, type Mailer } from '../../platform/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteSessions } from '../spaces/session-store.ts'
import { selectUser, selectUserByEmail } from '../spaces/store.ts'
import { forgetAttempts } from './attempt-store.ts'
import { forgetChallenges } from './challenges.ts'
import { findOpenLink, forgetLinks } from './link-store.ts'
import { createMailedLink, signInLinkUrl } from './links.ts'
import { forgetMailedCodes } from './mailed-code-store.ts'
import { sendMailedCode } from './mailed-codes.ts'
import { forgetProviderAttempts } from './oidc/provider-attempts.ts'
import { forgetSecondSteps } from './second-steps.ts'
import { enrolmentMs, forgetUnconfirmed } from './totp-store.ts'

const keptMs = durationMs('30d') // limit: how long ended sessions and expired sign-in links are kept
const attemptsKeptMs = durationMs('90d') // limit: how long sign-in attempts are kept

export function signInJobs(parts: Platform): Jobs {
  const { home, settings, log } = parts
  const mailer = createMailer(settings, log)
  return {
    // The link and the job that mails it are committed together, so that every retry mails the same link.
    'sign-in.make-link': ({ email, address, browser, browserOf }) =>
      home.transaction(async (tx) => {
        const user = await selectUserByEmail(tx, String(email))
        const asker = {
          address: String(address),
          browser: typeof browser === 'string' ? Buffer.from(browser, 'hex') : null,
        }
        const linkId =
          user && (await createMailedLink(tx, user.id, { ...asker, isKnown: browserOf === user.id }))
        if (linkId) enqueue(tx, 'sign-in.send-link', { ...outsideSpaces, linkId })
      }),
    'sign-in.send-link': ({ linkId }) => sendLink(parts, mailer, String(linkId)),
    'step-up.send-code': ({ codeId, address, agent }) =>
      sendMailedCode(parts, mailer, {
        codeId: String(codeId),
        address: String(address),
        agent: String(agent),
      }),
    'sign-in.forget': async () => {
      const before = new Date(Date.now() - keptMs)
      while ((await home.transaction((tx) => deleteSessions(tx, before))) > 0);
      while ((await home.transaction((tx) => forgetLinks(tx, before))) > 0);
      while ((await home.transaction((tx) => forgetChallenges(tx, new Date()))) > 0);
      while ((await home.transaction((tx) => forgetMailedCodes(tx, before))) > 0);
      while ((await home.transaction((tx) => forgetSecondSteps(tx, new Date()))) > 0);
      while ((await home.transaction((tx) => forgetProviderAttempts(tx, new Date()))) > 0);
      const unconfirmedBefore = new Date(Date.now() - enrolmentMs)
      while ((await home.transaction((tx) => forgetUnconfirmed(tx, unconfirmedBefore))) > 0);
      const attemptsBefore = new Date(Date.now() - attemptsKeptMs)
      while ((await home.transaction((tx) => forgetAttempts(tx, attemptsBefore))) > 0);
    },
  }
}

async function sendLink(parts: Platform, mailer: Mailer, linkId: string): Promise<void> {
  // If the link has expired or been used since the job was queued, no mail is sent.
  const link = await findOpenLink(parts.home, linkId)
  const user = link && (await selectUser(parts.home, link.userId))
  if (!user) return
  await mailer.send({
    to: [user.email],
    subject: 'Your sign-in link',
    text: [
      'Sign in to Pesewa with this link. It works once and expires in 15 minutes:',
      signInLinkUrl(parts, linkId),
      'Open it in the browser in which you requested it. In any other browser, you will be asked for your email address.',
      'If you did not request this, ignore this email. Nobody has signed in.',
    ].join('\n\n'),
  })
}
