import { ChoiceField } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { SettingsForm, type SettingsFormProps, useChange } from './settings-form.tsx'
import { texts } from './texts.ts'

export function RefundsForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts(texts)
  const send = useChange()
  const read = (fields: FormData) => ({
    refundsWhenShort: fields.get('short') === 'queue' ? ('queue' as const) : ('refuse' as const),
    returnsPaymentFee: fields.get('fee') === 'yes',
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
