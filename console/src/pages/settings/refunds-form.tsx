import { ChoiceField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from '../../text/languages.tsx'
import { SettingsForm, type SettingsFormProps, type SpaceSettings, useChange } from './settings-form.tsx'
import { texts } from './texts.ts'

export function RefundsForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts(texts)
  const send = useChange()
  const read = (form: FormReader) => ({
    refundsWhenShort: form.choice<SpaceSettings['refundsWhenShort']>('short'),
    returnsPaymentFee: form.text('fee') === 'yes',
  })
  return (
    <SettingsForm isFixed={isFixed} send={send} read={read}>
      <ChoiceField name="short" label={t.whenShort} choices={t.short} initial={settings.refundsWhenShort} />
      <ChoiceField
        name="fee"
        label={t.fee}
        choices={t.fees}
        initial={settings.returnsPaymentFee ? 'yes' : 'no'}
      />
    </SettingsForm>
  )
}
