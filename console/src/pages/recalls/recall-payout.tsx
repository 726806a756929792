import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ChoiceField, FormDialog, TextField } from '../../parts/form.tsx'
import { parseMoney, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

type Payout = ResultOf<typeof api.payouts.retrieve>
type Reason = InputOf<typeof api.recalls.create>['reason']

/** A button to request the recall of a completed payout. It is shown only to users who may make payouts. */
export function RecallPayout({ payout }: { payout: Payout }) {
  const t = useTexts(texts)
  const isAllowed = usePermissions()('payouts:write')
  const [isAsking, setAsking] = useState(false)
  if (!isAllowed || payout.status !== 'completed') return null
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {t.create}
      </button>
      {isAsking && <RecallDialog payout={payout} onClose={() => setAsking(false)} />}
    </>
  )
}

function RecallDialog({ payout: { id, amount }, onClose }: { payout: Payout; onClose(): void }) {
  const t = useTexts(texts)
  const money = useMoney()
  const [, navigate] = useLocation()
  const [isAmountBad, setAmountBad] = useState(false)
  const send = useSend(api.recalls.create)
  const { currency } = amount
  const submit = (fields: FormData) => {
    const typed = String(fields.get('amount')).trim()
    const value = typed ? parseMoney(typed, currency) : undefined
    setAmountBad(typed !== '' && value === undefined)
    if (typed && value === undefined) return
    const isReason = (text: string): text is Reason => text in t.reasons
    const reason = String(fields.get('reason'))
    const body = {
      payoutId: id,
      reason: isReason(reason) ? reason : ('other' as const),
      note: String(fields.get('note')).trim() || null,
      ...(value !== undefined && { amount: { currency, value } }),
    }
    send.mutate([body], { onSuccess: (recall) => navigate(`/recalls/${recall.id}`) })
  }
  return (
    <FormDialog
      title={t.createTitle}
      action={t.create}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="field">{t.createText(money(amount))}</p>
      <ChoiceField name="reason" label={t.reason} choices={t.reasons} />
      <TextField
        name="amount"
        label={t.amountIn(currency)}
        hint={t.amountHint}
        max={24}
        inputMode="decimal"
        issue={isAmountBad ? t.notAnAmount : issueAt(send.error, 'amount.value')}
      />
      <TextField name="note" label={t.note} max={255} issue={issueAt(send.error, 'note')} />
    </FormDialog>
  )
}
