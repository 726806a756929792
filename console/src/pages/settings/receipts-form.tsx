import { ChoiceField } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { PartForm, type PartProps, useChange } from './part-form.tsx'
import { texts } from './texts.ts'

export function ReceiptsForm({ settings, isFixed }: PartProps) {
  const t = useTexts(texts)
  const send = useChange()
  const read = (fields: FormData) => ({ receiptsBySms: fields.get('sms') === 'yes' })
  return (
    <PartForm isFixed={isFixed} send={send} read={read}>
      <ChoiceField
        name="sms"
        label={t.receiptsBySms}
        choices={t.sms}
        initial={settings.receiptsBySms ? 'yes' : 'no'}
      />
    </PartForm>
  )
}
