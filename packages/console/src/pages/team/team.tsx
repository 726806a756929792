import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { TextField } from '../../parts/form.tsx'
import { MenuPageHead } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { Invitations } from './invitations.tsx'
import { RoleField, roleFrom, useReachableRoles } from './role-field.tsx'
import { useTexts } from './texts.ts'

type Member = ResultOf<typeof api.members.list>[number]

export default function Team() {
  const t = useTexts()
  const may = usePermissions()
  const [invited, setInvited] = useState<string>()
  return (
    <>
      <MenuPageHead page="/team">
        {may('members:write') && (
          <ConfirmButton
            call={api.invitations.create}
            args={(form) => [{ email: form.text('email'), role: roleFrom(form) }]}
            action={t.invite}
            isDangerous={false}
            onSent={({ email }) => setInvited(email)}
          >
            <TextField name="email" type="email" label={t.email} hint={t.inviteHint} max={254} isRequired />
            <RoleField />
          </ConfirmButton>
        )}
      </MenuPageHead>
      {invited && (
        <p class="notice good" role="status">
          {t.invited(invited)}
        </p>
      )}
      <Members />
      <Invitations />
    </>
  )
}

function Members() {
  const t = useTexts()
  const may = usePermissions()
  const { me } = useCurrentSpace()
  const reachable = useReachableRoles()
  const read = useRows(api.members.list, [{ limit: 50 }])
  return (
    <PagedTable
      label={t.members}
      read={read}
      columns={[
        { label: t.email, cell: ({ id, email }) => (id === me.user.id ? `${email} ${t.you}` : email) },
        { label: t.role, cell: ({ role }) => t.roles[role] ?? role },
        { label: t.since, isExtra: true, cell: ({ createTime }) => <Time at={createTime} /> },
        may('members:write') && {
          label: t.actions,
          cell: (member) => reachable.includes(member.role) && <MemberActions member={member} />,
        },
      ]}
    />
  )
}

function MemberActions({ member: { id, email, role } }: { member: Member }) {
  const t = useTexts()
  return (
    <span class="actions">
      <ConfirmButton
        call={api.members.update}
        args={(form) => [id, { role: roleFrom(form) }]}
        action={t.change}
        about={email}
        title={t.changeTitle(email)}
        submit={t.save}
        isDangerous={false}
        class="quiet"
      >
        <RoleField initial={role} />
      </ConfirmButton>
      <ConfirmButton
        call={api.members.delete}
        args={[id]}
        action={t.remove}
        title={t.removeTitle(email)}
        warning={t.removeText}
      />
    </span>
  )
}
