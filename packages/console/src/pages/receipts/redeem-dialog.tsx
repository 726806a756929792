import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { Field, FormDialog } from '../../parts/form.tsx'
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
  const [isNothing, setNothing] = useState(false)
  const open = receipt.entitlements.filter(({ remaining }) => remaining > 0)
  const submit = (fields: FormData) => {
    const entitlements = open
      .map(({ key }, i) => ({ key, units: Number(fields.get(`units${i}`)) }))
      .filter(({ units }) => units > 0)
    setNothing(entitlements.length === 0)
    if (entitlements.length === 0) return
    const onSuccess = ({ redeem }: { redeem: boolean }) => {
      onEnd(redeem ? 'done' : 'nothingRedeemed')
      onClose()
    }
    send.mutate([receipt.orderNumber, { entitlements }], { onSuccess })
  }
  return (
    <FormDialog
      title={t.redeemTitle}
      action={t.redeem}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {open.map(({ key, name, remaining }, i) => (
        <Field label={t.unitsOf(name, remaining)} key={key} issue={isNothing ? t.nothingChosen : undefined}>
          {(controls) => (
            <input
              {...controls}
              name={`units${i}`}
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
