import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { roles } from '../../text/roles.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { RoleField, roleFrom, useReachableRoles } from './role-field.tsx'
import { texts } from './texts.ts'

type Member = ResultOf<typeof api.members.list>[number]

export default function Team() {
  const t = useTexts(texts)
  const may = usePermissions()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<string>()
  return (
    <>
      <PageHead title={t.team}>
        {may('members:write') && (
          <button type="button" class="main" onClick={() => setInviting(true)}>
            {t.invite}
          </button>
        )}
      </PageHead>
      {invited && (
        <p class="notice good" role="status">
          {t.invited(invited)}
        </p>
      )}
      <Members />
      <Invitations />
      {isInviting && <InviteDialog onInvited={setInvited} onClose={() => setInviting(false)} />}
    </>
  )
}

function Members() {
  const t = useTexts(texts)
  const r = useTexts(roles)
  const may = usePermissions()
  const { me } = useCurrentSpace()
  const reachable = useReachableRoles()
  const read = useRows(api.members.list, [{ limit: 50 }])
  const columns: Column<Member>[] = [
    { label: t.email, cell: ({ id, email }) => (id === me.user.id ? `${email} ${t.you}` : email) },
    { label: t.role, cell: ({ role }) => r[role] ?? role },
    { label: t.since, isExtra: true, cell: ({ createTime }) => <Time at={createTime} /> },
  ]
  const actions: Column<Member> = {
    label: t.actions,
    cell: (member) => reachable.includes(member.role) && <MemberActions member={member} />,
  }
  return (
    <PagedTable
      label={t.members}
      read={read}
      keyOf={({ id }) => id}
      columns={may('members:write') ? [...columns, actions] : columns}
    />
  )
}

function MemberActions({ member: { id, email, role } }: { member: Member }) {
  const t = useTexts(texts)
  const [isChanging, setChanging] = useState(false)
  const send = useSend(api.members.update)
  const close = () => setChanging(false)
  return (
    <span class="actions">
      <button type="button" class="quiet" onClick={() => setChanging(true)}>
        {t.change} <span class="unseen">{email}</span>
      </button>
      <ConfirmButton
        call={api.members.delete}
        args={[id]}
        action={t.remove}
        title={t.removeTitle(email)}
        warning={t.removeText}
      />
      {isChanging && (
        <FormDialog
          title={t.changeTitle(email)}
          action={t.save}
          isBusy={send.isPending}
          error={send.error}
          onSubmit={(form) => send.mutate([id, { role: roleFrom(form) }], { onSuccess: close })}
          onClose={close}
        >
          <RoleField initial={role} issue={issueAt(send.error, 'role')} />
        </FormDialog>
      )}
    </span>
  )
}
