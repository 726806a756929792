import { api, type ResultOf } from '../../api/client.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { Section } from '../../parts/section.tsx'
import { Status } from '../../parts/status.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { roles } from '../../text/roles.ts'
import { useReachableRoles } from './role-field.tsx'
import { texts } from './texts.ts'

type Invitation = ResultOf<typeof api.invitations.list>[number]

export function Invitations() {
  const t = useTexts(texts)
  const r = useTexts(roles)
  const may = usePermissions()
  const reachable = useReachableRoles()
  const read = useRows(api.invitations.list, [{ limit: 25 }])
  const columns: Column<Invitation>[] = [
    { label: t.email, cell: ({ email }) => email },
    { label: t.role, cell: ({ role }) => r[role] ?? role },
    { label: t.status, cell: ({ status }) => <Status of={status} words={t.states[status]} /> },
    { label: t.expireTime, isExtra: true, cell: ({ expireTime }) => <Time at={expireTime} /> },
  ]
  const actions: Column<Invitation> = {
    label: t.actions,
    cell: (invitation) => {
      const isOpen = invitation.status === 'pending' || invitation.status === 'expired'
      return isOpen && reachable.includes(invitation.role) && <Actions invitation={invitation} />
    },
  }
  return (
    <Section title={t.invitations}>
      <PagedTable
        label={t.invitations}
        read={read}
        empty={t.noInvitations}
        keyOf={({ id }) => id}
        columns={may('members:write') ? [...columns, actions] : columns}
      />
    </Section>
  )
}

function Actions({ invitation: { id, email } }: { invitation: Invitation }) {
  const t = useTexts(texts)
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
