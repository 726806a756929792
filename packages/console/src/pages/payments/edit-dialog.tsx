import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { Field, FormDialog } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import type { Payment } from './origin.ts'
import { texts } from './texts.ts'

/** A dialog to edit the name of a payment and the team's internal note, which is stored in `metadata.note`. */
export function EditDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const send = useSend(api.payments.update)
  const { note: noteNow, ...others } = payment.metadata
  const submit = (fields: FormData) => {
    const name = String(fields.get('name')).trim()
    const note = String(fields.get('note')).trim()
    const body = { name: name || null, metadata: { ...others, ...(note && { note }) } }
    send.mutate([payment.id, body], { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t.editTitle}
      action={t.save}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={w.name} issue={issueAt(send.error, 'name')}>
        {(controls) => (
          <input {...controls} name="name" maxLength={100} autoComplete="off" defaultValue={payment.name} />
        )}
      </Field>
      <Field label={w.note} hint={t.noteHint} issue={issueAt(send.error, 'metadata')}>
        {(controls) => (
          <textarea
            {...controls}
            name="note"
            rows={3}
            maxLength={500}
            defaultValue={typeof noteNow === 'string' ? noteNow : ''}
          />
        )}
      </Field>
    </FormDialog>
  )
}
