import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { ChoiceField, FormDialog, TextField } from '../../parts/form.tsx'
import { useLanguage, useTexts } from '../../text/languages.tsx'
import { type Language, languages } from '../../text/texts.ts'
import { texts } from './texts.ts'

type Props = { orderNumber: string; onSent(): void; onClose(): void }

/** A dialog to send the receipt by email. */
export function SendDialog({ orderNumber, onSent, onClose }: Props) {
  const t = useTexts(texts)
  const { language } = useLanguage()
  const send = useSend(api.receipts.send)
  const submit = (fields: FormData) => {
    const body = { email: String(fields.get('email')).trim(), language: fields.get('language') as Language }
    const onSuccess = () => {
      onSent()
      onClose()
    }
    send.mutate([orderNumber, body], { onSuccess })
  }
  return (
    <FormDialog
      title={t.sendTitle}
      action={t.send}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField name="email" label={t.email} max={254} isRequired issue={issueAt(send.error, 'email')} />
      <ChoiceField name="language" label={t.language} choices={languages} initial={language} />
    </FormDialog>
  )
}
