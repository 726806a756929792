import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { createMailer } from '../../platform/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { announceJob, readNews } from '../approvals/announcing.ts'
import { announce, mailJob } from './announcing.ts'
import { mailMember } from './mails.ts'

export function approvalJobs(parts: Platform): Jobs {
  const { db, settings, log } = parts
  const mailer = createMailer(settings, log)
  return {
    [announceJob]: async (payload) => {
      if (settings.smtpUrl) await db.transaction((tx) => announce(tx, scopeOf(payload), readNews(payload)))
    },
    [mailJob]: async (payload) => {
      const { userId, until } = payload
      if (Date.now() < Number(until)) await mailMember(parts, mailer, scopeOf(payload), String(userId))
      else log.error('gave up on an approval email: the mail server did not accept it for a day')
    },
  }
}
