import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { Field, FormDialog } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { RoleField, roleFrom } from './role-field.tsx'
import { texts } from './texts.ts'

type Props = { onInvited(email: string): void; onClose(): void }

export function InviteDialog({ onInvited, onClose }: Props) {
  const t = useTexts(texts)
  const send = useSend(api.invitations.create)
  const submit = (form: FormData) => {
    const email = String(form.get('email')).trim()
    const onSuccess = () => {
      onInvited(email)
      onClose()
    }
    send.mutate([{ email, role: roleFrom(form) }], { onSuccess })
  }
  return (
    <FormDialog
      title={t.invite}
      action={t.invite}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t.email} hint={t.inviteHint} issue={issueAt(send.error, 'email')}>
        {(controls) => (
          <input {...controls} name="email" type="email" required maxLength={254} autoComplete="off" />
        )}
      </Field>
      <RoleField initial="developer" issue={issueAt(send.error, 'role')} />
    </FormDialog>
  )
}
