import { useState } from 'preact/hooks'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { Field, FormDialog } from '../../parts/form.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { moneyInputValue, parseMoney, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { payerOf } from './payments-table.tsx'
import { texts } from './texts.ts'

type Reason = InputOf<typeof api.refunds.create>['reason']
type Props = { payment: ResultOf<typeof api.payments.retrieve>; onClose(): void }

/** A dialog to refund a payment in full or in part. */
export function RefundDialog({ payment, onClose }: Props) {
  const t = useTexts(texts)
  const money = useMoney()
  const [isAmountBad, setAmountBad] = useState(false)
  const send = useSend(api.refunds.create)
  const { refundable } = payment.refund
  const { currency } = refundable
  const submit = (fields: FormData) => {
    const value = parseMoney(String(fields.get('amount')), currency)
    setAmountBad(value === undefined)
    if (value === undefined) return
    // Safe: the form offers only valid reasons.
    const reason = String(fields.get('reason')) as Reason
    const note = String(fields.get('note')).trim() || null
    const body = { paymentId: payment.id, amount: { currency, value }, reason, note }
    send.mutate([body], { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t.refundTitle}
      action={t.refund}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="field">
        {t.refundGoesTo} {payerOf(payment)} · <ProviderName id={payment.channel.provider} />
      </p>
      <Field
        label={t.amountIn(currency)}
        hint={t.refundHint(money(refundable))}
        issue={isAmountBad ? t.notAnAmount : issueAt(send.error, 'amount.value')}
      >
        {(controls) => (
          <input
            {...controls}
            name="amount"
            inputMode="decimal"
            required
            maxLength={24}
            autoComplete="off"
            defaultValue={moneyInputValue(refundable)}
          />
        )}
      </Field>
      <Field label={t.reason}>
        {(controls) => (
          <select {...controls} name="reason">
            {Object.entries(t.reasons).map(([value, words]) => (
              <option value={value} key={value}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.note} issue={issueAt(send.error, 'note')}>
        {(controls) => <input {...controls} name="note" maxLength={500} />}
      </Field>
    </FormDialog>
  )
}
