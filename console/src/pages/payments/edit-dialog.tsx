import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from '../../text/languages.tsx'
import type { Payment } from './origin.ts'
import { texts } from './texts.ts'

/** A dialog to edit the name of a payment and the team's internal note, which is stored in `metadata.note`. */
export function EditDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const t = useTexts(texts)
  const send = useSend(api.payments.update)
  const { note: noteNow, ...others } = payment.metadata
  const read = (form: FormReader) => {
    const note = form.text('note')
    return [
      payment.id,
      { name: form.textOrNull('name'), metadata: { ...others, ...(note && { note }) } },
    ] as const
  }
  return (
    <FormDialog title={t.edit} action={t.save} send={send} read={read} onClose={onClose}>
      <TextField name="name" label={t.name} max={100} initial={payment.name} />
      <Field name="note" at="metadata" label={t.note} hint={t.noteHint}>
        {(controls) => (
          <textarea
            {...controls}
            rows={3}
            maxLength={500}
            defaultValue={typeof noteNow === 'string' ? noteNow : ''}
          />
        )}
      </Field>
    </FormDialog>
  )
}
