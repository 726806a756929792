import { useLocation } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { AmountField, ChoiceField, FormDialog, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

type Payout = ResultOf<typeof api.payouts.retrieve>
type Reason = InputOf<typeof api.recalls.create>['reason']

/** A button to request the recall of a completed payout. It is shown only to users who may make payouts. */
export function RecallPayout({ payout }: { payout: Payout }) {
  const t = useTexts()
  const isAllowed = usePermissions()('payouts:write')
  if (!isAllowed || payout.status !== 'completed') return null
  return (
    <DialogButton label={t.create}>
      {(close) => <RecallDialog payout={payout} onClose={close} />}
    </DialogButton>
  )
}

function RecallDialog({ payout: { id, amount }, onClose }: { payout: Payout; onClose(): void }) {
  const t = useTexts()
  const money = useMoney()
  const [, navigate] = useLocation()
  const send = useSend(api.recalls.create)
  const { currency } = amount
  const read = (form: FormReader) => {
    const part = form.amountOrNull('amount', currency)
    const [reason, note] = [form.choice<Reason>('reason'), form.textOrNull('note')]
    return [{ payoutId: id, reason, note, ...(part && { amount: part }) }] as const
  }
  return (
    <FormDialog
      title={t.createTitle}
      action={t.create}
      send={send}
      read={read}
      onSent={(recall) => navigate(`/recalls/${recall.id}`)}
      onClose={onClose}
    >
      <p class="field">{t.createText(money(amount))}</p>
      <ChoiceField name="reason" label={t.reason} choices={t.reasons} />
      <AmountField name="amount" at="amount.value" label={t.amountIn(currency)} hint={t.amountHint} />
      <TextField name="note" label={t.note} max={255} />
    </FormDialog>
  )
}
