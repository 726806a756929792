import { api, type ResultOf } from '../../api/client.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Field } from '../../parts/field.tsx'
import { ChoiceField, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useLanguage } from '../../text/languages.tsx'
import { type Language, languages } from '../../text/texts.ts'
import { useTexts } from './texts.ts'

export type Receipt = ResultOf<typeof api.receipts.retrieve>

type RedeemProps = {
  receipt: Receipt
  /**
   * Called after the request. The outcome is `nothingRedeemed` if fewer units are left than were entered,
   * because some have been redeemed at another gate in the meantime.
   */
  onEnd(outcome: 'done' | 'nothingRedeemed'): void
}

/** A button to redeem units. By default, all remaining units are redeemed. */
export function RedeemButton({ receipt, onEnd }: RedeemProps) {
  const t = useTexts()
  const open = receipt.entitlements.filter(({ remaining }) => remaining > 0)
  const read = (form: FormReader) => {
    const entitlements = open
      .map(({ key }, i) => ({ key, units: Number(form.text(`units${i}`)) }))
      .filter(({ units }) => units > 0)
    if (entitlements.length === 0) for (const i of open.keys()) form.refuse(`units${i}`, t.nothingChosen)
    return [receipt.orderNumber, { entitlements }] as const
  }
  return (
    <ConfirmButton
      call={api.receipts.redeem}
      args={read}
      action={t.redeem}
      title={t.redeemTitle}
      isDangerous={false}
      onSent={({ redeem }) => onEnd(redeem ? 'done' : 'nothingRedeemed')}
    >
      {open.map(({ key, name, remaining }, i) => (
        <Field name={`units${i}`} label={t.unitsOf(name, remaining)} key={key}>
          {(controls) => (
            <input
              {...controls}
              type="number"
              required
              min={0}
              max={remaining}
              step={1}
              defaultValue={String(remaining)}
            />
          )}
        </Field>
      ))}
      <p class="muted">{t.redeemHint}</p>
    </ConfirmButton>
  )
}

/** A button to send the receipt by email. */
export function SendButton({ orderNumber, onSent }: { orderNumber: string; onSent(): void }) {
  const t = useTexts()
  const { language } = useLanguage()
  const read = (form: FormReader) =>
    [orderNumber, { email: form.text('email'), language: form.choice<Language>('language') }] as const
  return (
    <ConfirmButton
      call={api.receipts.send}
      args={read}
      action={t.sendByMail}
      submit={t.send}
      title={t.sendTitle}
      isDangerous={false}
      class="quiet"
      onSent={onSent}
    >
      <TextField name="email" label={t.email} max={254} isRequired />
      <ChoiceField name="language" label={t.language} choices={languages} initial={language} />
    </ConfirmButton>
  )
}
