import { api, type InputOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { BulkButton } from '../../parts/bulk-button.tsx'
import { Field, optionsOf } from '../../parts/field.tsx'
import { useMoney } from '../../text/format.tsx'
import { type ListedPayment, payerOf } from './payments-table.tsx'
import { useTexts } from './texts.ts'

type Reason = InputOf<typeof api.refunds.create>['reason']
type Props = { chosen: readonly ListedPayment[]; onSent(): void }

/** A button that refunds what remains of each selected payment. */
export default function RefundSelected({ chosen, onSent }: Props) {
  const t = useTexts()
  const money = useMoney()
  const may = usePermissions()
  if (!may('refunds:propose')) return null
  const rows = chosen.filter(({ status, refund }) => status === 'completed' && refund.refundable.value > 0)
  const others = chosen.length - rows.length
  return (
    <BulkButton
      action={t.refundSelected(rows.length)}
      title={t.refundSelected(rows.length)}
      rows={rows}
      nameOf={(payment) => (
        <>
          {payment.name || payment.orderNumber} · {payerOf(payment)} ·{' '}
          <b class="number-text">{money(payment.refund.refundable)}</b>
        </>
      )}
      call={api.refunds.create}
      argsOf={({ id, refund }, form) => [
        {
          paymentId: id,
          amount: { ...refund.refundable, value: Number(refund.refundable.value) },
          reason: form.choice<Reason>('reason'),
        },
      ]}
      onSent={onSent}
    >
      <p class="field">{t.refundSelectedText}</p>
      {others > 0 && <p class="field muted">{t.notRefundable(others)}</p>}
      <Field name="reason" label={t.reason}>
        {(controls) => <select {...controls}>{optionsOf(t.reasons)}</select>}
      </Field>
    </BulkButton>
  )
}
