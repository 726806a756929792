import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { ChoiceField, FormDialog, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useLanguage, useTexts } from '../../text/languages.tsx'
import { type Language, languages } from '../../text/texts.ts'
import { texts } from './texts.ts'

type Props = { orderNumber: string; onSent(): void; onClose(): void }

/** A dialog to send the receipt by email. */
export function SendDialog({ orderNumber, onSent, onClose }: Props) {
  const t = useTexts(texts)
  const { language } = useLanguage()
  const send = useSend(api.receipts.send)
  const read = (form: FormReader) =>
    [orderNumber, { email: form.text('email'), language: form.choice<Language>('language') }] as const
  const finish = () => {
    onSent()
    onClose()
  }
  return (
    <FormDialog title={t.sendTitle} action={t.send} send={send} read={read} onSent={finish} onClose={onClose}>
      <TextField name="email" label={t.email} max={254} isRequired />
      <ChoiceField name="language" label={t.language} choices={languages} initial={language} />
    </FormDialog>
  )
}
