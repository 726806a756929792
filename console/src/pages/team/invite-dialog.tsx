import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { FormDialog, TextField } from '../../parts/form.tsx'
import { RoleField, roleFrom } from './role-field.tsx'
import { useTexts } from './texts.ts'

type Props = { onInvited(email: string): void; onClose(): void }

export function InviteDialog({ onInvited, onClose }: Props) {
  const t = useTexts()
  const send = useSend(api.invitations.create)
  const finish = ({ email }: { email: string }) => {
    onInvited(email)
    onClose()
  }
  return (
    <FormDialog
      title={t.invite}
      action={t.invite}
      send={send}
      read={(form) => [{ email: form.text('email'), role: roleFrom(form) }]}
      onSent={finish}
      onClose={onClose}
    >
      <TextField name="email" type="email" label={t.email} hint={t.inviteHint} max={254} isRequired />
      <RoleField initial="developer" />
    </FormDialog>
  )
}
