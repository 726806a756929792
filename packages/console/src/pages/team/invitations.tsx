import { api, type ResultOf } from '../../api/client.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useReachableRoles } from './role-field.tsx'
import { useTexts } from './texts.ts'

type Invitation = ResultOf<typeof api.invitations.list>[number]

/** Invitations with these statuses can be resent and withdrawn. */
const openStatuses = ['pending', 'expired']

export function Invitations() {
  const t = useTexts()
  const may = usePermissions()
  const reachable = useReachableRoles()
  const read = useRows(api.invitations.list, [{ limit: 25 }])
  return (
    <Section title={t.invitations}>
      <PagedTable
        read={read}
        empty={t.noInvitations}
        columns={[
          { label: t.email, cell: ({ email }) => email },
          { label: t.role, cell: ({ role }) => t.roles[role] ?? role },
          { label: t.status, cell: ({ status }) => <Status of={status} words={t.states[status]} /> },
          { label: t.expireTime, isExtra: true, cell: ({ expireTime }) => <Time at={expireTime} /> },
          may('members:write') && {
            label: t.actions,
            cell: (invitation) =>
              openStatuses.includes(invitation.status) &&
              reachable.includes(invitation.role) && <Actions invitation={invitation} />,
          },
        ]}
      />
    </Section>
  )
}

function Actions({ invitation: { id, email } }: { invitation: Invitation }) {
  const t = useTexts()
  const send = useSend(api.invitations.resend)
  return (
    <span class="actions">
      <button type="button" class="quiet" disabled={send.isPending} onClick={() => send.mutate([id])}>
        {t.resend} <span class="unseen">{email}</span>
      </button>
      <ConfirmButton
        call={api.invitations.delete}
        args={[id]}
        action={t.withdraw}
        title={t.withdrawTitle(email)}
        warning={t.withdrawText}
      />
      {send.isSuccess && <span role="status">{t.invited(email)}</span>}
      <ErrorNotice error={send.error} />
    </span>
  )
}
