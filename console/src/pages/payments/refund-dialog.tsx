import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { AmountField, ChoiceField, FormDialog, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { ProviderName } from '../../parts/providers.tsx'
import { moneyInputValue, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { payerOf } from './payments-table.tsx'
import { texts } from './texts.ts'

type Reason = InputOf<typeof api.refunds.create>['reason']
type Props = { payment: ResultOf<typeof api.payments.retrieve>; onClose(): void }

/** A dialog to refund a payment in full or in part. */
export function RefundDialog({ payment, onClose }: Props) {
  const t = useTexts(texts)
  const money = useMoney()
  const send = useSend(api.refunds.create)
  const { refundable } = payment.refund
  const { currency } = refundable
  const read = (form: FormReader) => {
    const [amount, reason] = [form.amount('amount', currency), form.choice<Reason>('reason')]
    return [{ paymentId: payment.id, amount, reason, note: form.textOrNull('note') }] as const
  }
  return (
    <FormDialog title={t.refundTitle} action={t.refund} send={send} read={read} onClose={onClose}>
      <p class="field">
        {t.refundGoesTo} {payerOf(payment)} · <ProviderName id={payment.channel.provider} />
      </p>
      <AmountField
        name="amount"
        at="amount.value"
        label={t.amountIn(currency)}
        hint={t.refundHint(money(refundable))}
        isRequired
        initial={moneyInputValue(refundable)}
      />
      <ChoiceField name="reason" label={t.reason} choices={t.reasons} />
      <TextField name="note" label={t.internalNote} max={500} />
    </FormDialog>
  )
}
