import { useLocation } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { AmountField, ChoiceField, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

type Payout = ResultOf<typeof api.payouts.retrieve>
type Reason = InputOf<typeof api.recalls.create>['reason']

/** A button to request the recall of a completed payout. It is shown only to users who may make payouts. */
export function RecallPayout({ payout: { id, amount, status } }: { payout: Payout }) {
  const t = useTexts()
  const money = useMoney()
  const [, navigate] = useLocation()
  const isAllowed = usePermissions()('payouts:write')
  if (!isAllowed || status !== 'completed') return null
  const { currency } = amount
  const read = (form: FormReader) => {
    const part = form.amountOrNull('amount', currency)
    const [reason, note] = [form.choice<Reason>('reason'), form.textOrNull('note')]
    return [{ payoutId: id, reason, note, ...(part && { amount: part }) }] as const
  }
  return (
    <ConfirmButton
      call={api.recalls.create}
      args={read}
      action={t.create}
      title={t.createTitle}
      isDangerous={false}
      class=""
      onSent={(recall) => navigate(`/recalls/${recall.id}`)}
    >
      <p class="field">{t.createText(money(amount))}</p>
      <ChoiceField name="reason" label={t.reason} choices={t.reasons} />
      <AmountField name="amount" at="amount.value" label={t.amountIn(currency)} hint={t.amountHint} />
      <TextField name="note" label={t.note} max={255} />
    </ConfirmButton>
  )
}
