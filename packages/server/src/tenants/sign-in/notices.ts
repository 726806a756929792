import { must } from '@pesewa/values'
import type { HomeTx } from '../../platform/db/database.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import { enqueue, outsideSpaces } from '../../platform/jobs/queue.ts'
import { selectUser } from '../spaces/store.ts'

const noticeTexts = {
  passkey_added: 'A passkey was added to your account. It can be used to sign in as you.',
  identity_linked: 'Your account at the identity provider was linked. It can be used to sign in as you.',
  passkey_removed: 'A passkey was removed from your account. It can no longer be used to sign in.',
  totp_enabled:
    'An authenticator app was added to your account. Signing in with a link now also requires its code.',
  totp_removed:
    'Your authenticator app and its recovery codes were removed. Signing in with a link no longer requires a code.',
  recovery_code_used: 'A recovery code was used instead of a code from your authenticator app.',
  recovery_codes_remade: 'New recovery codes were created. The old ones no longer work.',
  codes_locked:
    'Too many wrong authenticator codes were entered in a browser you have signed in with before. Authenticator codes are blocked in your browsers for a while. Recovery codes and passkeys still work.',
  codes_locked_elsewhere:
    'Someone opened one of your sign-in links in a browser that you have never used, and entered too many wrong authenticator codes. Authenticator codes are blocked in unknown browsers for a while. Your own browsers, recovery codes and passkeys still work.',
} as const

type SecurityNotice = keyof typeof noticeTexts

const subjects: Partial<Record<SecurityNotice, string>> = {
  codes_locked: 'Wrong authenticator codes for your account',
  codes_locked_elsewhere: 'Wrong authenticator codes for your account',
}

/**
 * Notifies a user by email of a change to how they sign in, or of failed attempts, so that they notice an
 * attack immediately.
 */
export async function mailNotice(
  tx: HomeTx,
  userId: string,
  notice: SecurityNotice,
  { address, agent }: Pick<Browser, 'address' | 'agent'>,
): Promise<void> {
  const { email } = must(await selectUser(tx, userId), 'user of a session or a link')
  enqueue(tx, 'mail.send', {
    ...outsideSpaces,
    to: [email],
    subject: subjects[notice] ?? 'Your sign-in methods have changed',
    text: [
      noticeTexts[notice],
      `When: ${new Date().toISOString()}\nFrom: ${address}\nBrowser: ${agent.slice(0, maxAgent) || 'unknown'}`,
      'If this was not you, sign in, end all other sessions under "Sign-in and security", and contact the operator of your Pesewa service.',
    ].join('\n\n'),
  })
}

const maxAgent = 200 // maximum number of characters of the User-Agent shown in security mails
