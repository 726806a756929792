import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { PageLink } from '../../parts/links.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { useMoney } from '../../text/format.tsx'
import { EditButton, RefundButton } from './dialogs.tsx'
import { LedgerLines } from './ledger-lines.tsx'
import { originOf, type Payment, pathOfOrigin } from './origin.ts'
import { PaymentReceipt } from './payment-receipt.tsx'
import { usePaymentTexts } from './payment-texts.ts'
import { payerOf } from './payments-table.tsx'
import { PaymentRecords } from './records.tsx'
import { RefundOutcome } from './refund-outcome.tsx'
import { PaymentRefunds } from './refunds-table.tsx'
import { PaymentSummary } from './summary.tsx'
import './payment.css'
import { useTexts } from './texts.ts'

export default objectPage(api.payments.retrieve, PaymentView)

function PaymentView({ of: payment }: { of: Payment }) {
  const money = useMoney()
  const may = usePermissions()
  const [refund, setRefund] = useState<Refund>()
  return (
    <>
      <PageHead title={`${money(payment.amount)} · ${payment.name || payment.orderNumber}`} above="/payments">
        <Actions payment={payment} onRefund={setRefund} />
      </PageHead>
      {refund && <RefundOutcome refund={refund} payer={payerOf(payment)} />}
      <PaymentSummary payment={payment} />
      {payment.financialTransactionReference && may('financial-transactions:read') && (
        <LedgerLines reference={payment.financialTransactionReference} payment={payment} />
      )}
      {may('refunds:read') && <PaymentRefunds payment={payment} />}
      <PaymentRecords payment={payment} />
      {payment.status === 'completed' && may('receipts:read') && <PaymentReceipt payment={payment} />}
      <PaymentDetails payment={payment} />
    </>
  )
}

type Refund = ResultOf<typeof api.refunds.create>
type ActionsProps = { payment: Payment; onRefund(refund: Refund): void }

function Actions({ payment, onRefund }: ActionsProps) {
  const may = usePermissions()
  const isRefundable =
    may('refunds:propose') && payment.status === 'completed' && payment.refund.refundable.value > 0
  return (
    <>
      {isRefundable && <RefundButton {...{ payment, onRefund }} />}
      {may('payments:write') && <EditButton payment={payment} />}
    </>
  )
}

function PaymentDetails({ payment }: { payment: Payment }) {
  const t = useTexts()
  const money = useMoney()
  const { channel, fees, metadata } = payment
  const origin = originOf(payment)
  return (
    <Section title={usePaymentTexts().details}>
      <Facts
        of={[
          [t.paidThrough, origin && <PageLink to={pathOfOrigin(origin)}>{t.origins[origin.type]}</PageLink>],
          [t.fees, fees.map((fee) => money(fee.amount)).join(', ')],
          [t.railReference, channel.reference],
          [t.reference, payment.reference],
          [t.note, typeof metadata.note === 'string' && metadata.note],
          [t.id, <CopyText text={payment.id} />],
        ]}
      />
    </Section>
  )
}
