import { api, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { Field } from '../../parts/field.tsx'
import { ChoiceField, FormDialog, TextField } from '../../parts/form.tsx'
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
  onClose(): void
}

/** A dialog to redeem units. By default, all remaining units are redeemed. */
export function RedeemDialog({ receipt, onEnd, onClose }: RedeemProps) {
  const t = useTexts()
  const send = useSend(api.receipts.redeem)
  const open = receipt.entitlements.filter(({ remaining }) => remaining > 0)
  const read = (form: FormReader) => {
    const entitlements = open
      .map(({ key }, i) => ({ key, units: Number(form.text(`units${i}`)) }))
      .filter(({ units }) => units > 0)
    if (entitlements.length === 0) for (const i of open.keys()) form.refuse(`units${i}`, t.nothingChosen)
    return [receipt.orderNumber, { entitlements }] as const
  }
  const finish = ({ redeem }: { redeem: boolean }) => {
    onEnd(redeem ? 'done' : 'nothingRedeemed')
    onClose()
  }
  return (
    <FormDialog
      title={t.redeemTitle}
      action={t.redeem}
      send={send}
      read={read}
      onSent={finish}
      onClose={onClose}
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
    </FormDialog>
  )
}

type SendProps = { orderNumber: string; onSent(): void; onClose(): void }

/** A dialog to send the receipt by email. */
export function SendDialog({ orderNumber, onSent, onClose }: SendProps) {
  const t = useTexts()
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
