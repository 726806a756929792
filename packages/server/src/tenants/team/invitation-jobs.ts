import type { Jobs } from '../../platform/jobs/runner.ts'
import { createMailer } from '../../platform/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { selectSpace } from '../spaces/store.ts'
import { selectInvitation } from './invitation-store.ts'
import { invitationLink, statusOf } from './invitations.ts'

export function invitationJobs(parts: Platform): Jobs {
  const { db, settings, log } = parts
  const mailer = createMailer(settings, log)
  return {
    'invitations.mail': async ({ invitationId }) => {
      const invitation = await selectInvitation(db, String(invitationId))
      if (!invitation || statusOf(invitation, new Date()) !== 'pending') return
      const space = await selectSpace(db, invitation.spaceId)
      await mailer.send({
        to: [invitation.email],
        subject: 'You have been invited to Pesewa',
        text: [
          `You have been invited to ${space?.name ?? 'a Space'} with the role ${invitation.role}. Follow this link to accept and sign in. It works once and expires in 7 days:`,
          invitationLink(parts, invitation.id),
          'If you did not expect this invitation, ignore this email.',
        ].join('\n\n'),
      })
    },
  }
}
