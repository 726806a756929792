import type { Jobs } from '../platform/jobs/runner.ts'
import { createMailer } from '../platform/mail.ts'
import type { Platform } from '../platform/platform.ts'
import { findUserByEmail } from '../spaces/spaces.ts'
import { createMailedLink } from './links.ts'

export function consoleJobs(parts: Platform): Jobs {
  const { db, settings, log } = parts
  const mailer = createMailer(settings, log)
  return {
    'sign-in.mail-link': async ({ email }) => {
      const user = await findUserByEmail(db, String(email))
      if (!user) return
      const link = await db.transaction((tx) => createMailedLink(tx, parts, user.id))
      if (!link) return
      await mailer.send({
        to: [user.email],
        subject: 'Your link to sign in',
        text: [
          'Sign in to Pesewa with this link. It works once, for 15 minutes:',
          link,
          'If you did not ask for it, do nothing: nobody has signed in.',
        ].join('\n\n'),
      })
    },
  }
}
