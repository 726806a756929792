import { ChoiceField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from '../../text/languages.tsx'
import { SettingsForm, type SettingsFormProps, useChange } from './settings-form.tsx'
import { texts } from './texts.ts'

export function ReceiptsForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts(texts)
  const send = useChange()
  const read = (form: FormReader) => ({ receiptsBySms: form.text('sms') === 'yes' })
  return (
    <SettingsForm isFixed={isFixed} send={send} read={read}>
      <ChoiceField
        name="sms"
        label={t.receiptsBySms}
        choices={t.sms}
        initial={settings.receiptsBySms ? 'yes' : 'no'}
      />
    </SettingsForm>
  )
}
