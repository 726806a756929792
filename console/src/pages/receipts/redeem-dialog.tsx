import { api, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export type Receipt = ResultOf<typeof api.receipts.retrieve>

type Props = {
  receipt: Receipt
  /**
   * Called after the request. The outcome is `nothingRedeemed` if fewer units are left than were entered,
   * because some have been redeemed at another gate in the meantime.
   */
  onEnd(outcome: 'done' | 'nothingRedeemed'): void
  onClose(): void
}

/** A dialog to redeem units. By default, all remaining units are redeemed. */
export function RedeemDialog({ receipt, onEnd, onClose }: Props) {
  const t = useTexts(texts)
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
