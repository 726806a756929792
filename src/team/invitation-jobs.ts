import type { Jobs } from '../platform/jobs/runner.ts'
import { createMailer } from '../platform/mail.ts'
import type { Platform } from '../platform/platform.ts'
import { findSpace } from '../spaces/spaces.ts'
import { selectInvitation } from './invitation-store.ts'
import { invitationLink, statusOf } from './invitations.ts'

export function invitationJobs(parts: Platform): Jobs {
  const { db, settings, log } = parts
  const mailer = createMailer(settings, log)
  return {
    'invitations.mail': async ({ invitationId }) => {
      const invitation = await selectInvitation(db, String(invitationId))
      if (!invitation || statusOf(invitation, new Date()) !== 'pending') return
      const space = await findSpace(db, invitation.spaceId)
      await mailer.send({
        to: [invitation.email],
        subject: 'You are invited to Pesewa',
        text: [
          `You are invited to ${space?.name ?? 'a Space'}, with the role ${invitation.role}. This link makes you a member and signs you in. It works once, for 7 days:`,
          invitationLink(parts, invitation.id),
          'If you did not expect it, do nothing.',
        ].join('\n\n'),
      })
    },
  }
}
