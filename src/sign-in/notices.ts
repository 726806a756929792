import type { Tx } from '../platform/db/database.ts'
import type { Browser } from '../platform/http/open-route.ts'
import { enqueue, ofNoSpace } from '../platform/jobs/queue.ts'
import { must } from '../platform/must.ts'
import { findUser } from '../spaces/spaces.ts'

const what = {
  passkey_added: 'A passkey was added: it signs in as you.',
  identity_linked: 'Your account at the identity provider was linked: it signs in as you.',
  passkey_removed: 'A passkey was removed: it signs in as you no more.',
  totp_enabled: 'An authenticator app was added: after a link by mail its code is asked for.',
  totp_removed:
    'Your authenticator app was removed, with its recovery codes: a link by mail signs in alone again.',
  recovery_code_used: 'A recovery code was used in place of a code of your authenticator app.',
  recovery_codes_remade: 'New recovery codes were made: those from before do not work any more.',
  codes_locked:
    'Too many wrong codes of your authenticator app were entered in a browser that you had signed in with. For a while such browsers accept no code. Recovery codes and passkeys work as before.',
  codes_locked_elsewhere:
    'Too many wrong codes of your authenticator app were entered by somebody who had used a link of yours, in a browser that you have not signed in with. For a while such browsers accept no code. Your own browsers, recovery codes and passkeys work as before.',
} as const

type SecurityNotice = keyof typeof what

const subjects: Partial<Record<SecurityNotice, string>> = {
  codes_locked: 'Wrong codes for your sign-in',
  codes_locked_elsewhere: 'Wrong codes for your sign-in',
}

/** Mails a person what changed about how they sign in, or who tried: if it was not them, they see it at once. */
export async function mailNotice(
  tx: Tx,
  userId: string,
  notice: SecurityNotice,
  { address, agent }: Pick<Browser, 'address' | 'agent'>,
): Promise<void> {
  const { email } = must(await findUser(tx, userId), 'user of a session or a link')
  await enqueue(tx, 'mail.send', {
    ...ofNoSpace,
    to: [email],
    subject: subjects[notice] ?? 'Your way to sign in was changed',
    text: [
      what[notice],
      `When: ${new Date().toISOString()}\nFrom: ${address}\nBrowser: ${agent.slice(0, maxAgent) || 'unknown'}`,
      'If this was not you, sign in, sign out of all other sessions under "Sign-in and security", and write to whoever runs your Pesewa.',
    ].join('\n\n'),
  })
}

const maxAgent = 200 // limit: characters of a browser’s name that a mail about signing in shows
