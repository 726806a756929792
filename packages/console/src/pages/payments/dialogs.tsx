import { useState } from 'preact/hooks'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Field } from '../../parts/field.tsx'
import { AmountField, ChoiceField, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { ProviderName } from '../../parts/providers.tsx'
import { moneyInputValue, useMoney } from '../../text/format.tsx'
import { parseMoney, symbolOf } from '../../text/money.ts'
import type { Payment } from './origin.ts'
import { payerOf } from './payments-table.tsx'
import { useTexts } from './texts.ts'

type Reason = InputOf<typeof api.refunds.create>['reason']
type Props = { payment: Payment }
type RefundProps = Props & { onRefund(refund: ResultOf<typeof api.refunds.create>): void }

/** A button to refund a payment in full or in part. */
export function RefundButton({ payment, onRefund }: RefundProps) {
  const t = useTexts()
  const money = useMoney()
  const { refundable } = payment.refund
  const { currency } = refundable
  const enabled = usePermissions()('settings:read')
  const { data: settings } = useRead(api.settings.retrieve, [], { enabled })
  const full = moneyInputValue(refundable)
  const [typed, setTyped] = useState(full)
  const value = parseMoney(typed, currency)
  const keepsFee = settings?.returnsPaymentFee === false && payment.fees.length > 0
  const read = (form: FormReader) => {
    const [amount, reason] = [form.amount('amount', currency), form.choice<Reason>('reason')]
    return [{ paymentId: payment.id, amount, reason, note: form.textOrNull('note') }] as const
  }
  return (
    <ConfirmButton
      call={api.refunds.create}
      args={read}
      action={t.refund}
      submit={value === undefined ? t.refund : t.refundAmount(money({ currency, value }))}
      title={t.refundTitle}
      isDangerous={false}
      onOpen={() => setTyped(full)}
      onDone={onRefund}
    >
      <p class="field">
        <span>
          {t.refundGoesTo} <span class="number-text">{payerOf(payment)}</span> ·{' '}
          <ProviderName id={payment.channel.provider} />
        </span>
      </p>
      <AmountField
        name="amount"
        at="amount.value"
        label={t.amountIn(symbolOf(currency))}
        hint={t.refundHint(money(refundable))}
        isRequired
        initial={full}
        onType={setTyped}
      />
      {keepsFee && (
        <p class="field muted">{t.feeIsKept(payment.fees.map(({ amount }) => money(amount)).join(', '))}</p>
      )}
      <ChoiceField name="reason" label={t.reason} choices={t.reasons} />
      <TextField name="note" label={t.internalNote} max={500} />
    </ConfirmButton>
  )
}

/** A button to edit the name of a payment and the team's internal note, which is stored in `metadata.note`. */
export function EditButton({ payment }: Props) {
  const t = useTexts()
  const { note: noteNow, ...others } = payment.metadata
  const read = (form: FormReader) => {
    const note = form.text('note')
    return [
      payment.id,
      { name: form.textOrNull('name'), metadata: { ...others, ...(note && { note }) } },
    ] as const
  }
  return (
    <ConfirmButton
      call={api.payments.update}
      args={read}
      action={t.edit}
      submit={t.save}
      isDangerous={false}
      class="quiet"
    >
      <TextField name="name" label={t.name} max={100} initial={payment.name} />
      <Field name="note" at="metadata" label={t.note} hint={t.noteHint}>
        {(controls) => (
          <textarea
            {...controls}
            rows={3}
            maxLength={500}
            defaultValue={typeof noteNow === 'string' ? noteNow : ''}
          />
        )}
      </Field>
    </ConfirmButton>
  )
}
