import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CaseFile } from '../../parts/case-file.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageLink } from '../../parts/links.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { EditButton, RefundButton } from './dialogs.tsx'
import { LedgerLines } from './ledger-lines.tsx'
import { originOf, type Payment, pathOfOrigin } from './origin.ts'
import { PaymentReceipt } from './payment-receipt.tsx'
import { Payer } from './payments-table.tsx'
import { PaymentRefunds } from './refunds-table.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.payments.retrieve, PaymentView)

function PaymentView({ of: payment }: { of: Payment }) {
  const money = useMoney()
  const may = usePermissions()
  return (
    <>
      <PageHead title={`${money(payment.amount)} · ${payment.name || payment.orderNumber}`} above="/payments">
        <Actions payment={payment} />
      </PageHead>
      <PaymentFacts payment={payment} />
      {may('refunds:read') && <PaymentRefunds payment={payment} />}
      {payment.status === 'completed' && may('receipts:read') && <PaymentReceipt payment={payment} />}
      {payment.financialTransactionReference && may('financial-transactions:read') && (
        <LedgerLines reference={payment.financialTransactionReference} />
      )}
      <CaseFile of="payments" id={payment.id} />
    </>
  )
}

function Actions({ payment }: { payment: Payment }) {
  const _t = useTexts()
  const may = usePermissions()
  const isRefundable =
    may('refunds:propose') && payment.status === 'completed' && payment.refund.refundable.value > 0
  return (
    <>
      {isRefundable && <RefundButton payment={payment} />}
      {may('payments:write') && <EditButton payment={payment} />}
    </>
  )
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const t = useTexts()
  const money = useMoney()
  const { amount, channel, refund, fees, metadata } = payment
  const origin = originOf(payment)
  const isInFlight = payment.status === 'pending' || payment.status === 'processing'
  return (
    <Facts
      of={[
        [t.status, <Status of={payment.status} />],
        [t.why, payment.failureDetail && <Failure of={payment.failureDetail} />],
        [t.toDo, isInFlight && payment.instructions && <Guidance of={payment.instructions} />],
        [t.amount, <Money of={amount} />],
        [t.payer, <Payer of={payment} />],
        [t.provider, <ProviderName id={channel.provider} />],
        [t.time, <Time at={payment.createTime} />],
        [t.orderNumber, payment.orderNumber],
        [t.paidThrough, origin && <PageLink to={pathOfOrigin(origin)}>{t.origins[origin.type]}</PageLink>],
        [t.fees, fees.map((fee) => money(fee.amount)).join(', ')],
        [t.refunded, refund.refunded.value > 0 && <Money of={refund.refunded} />],
        [t.railReference, channel.reference],
        [t.reference, payment.reference],
        [t.note, typeof metadata.note === 'string' && metadata.note],
        [t.id, <CopyText text={payment.id} />],
      ]}
    />
  )
}

/** Shows the instructions that the provider gives the payer, so that support staff can read them out on a call. */
function Guidance({ of }: { of: NonNullable<Payment['instructions']> }) {
  const { language } = useLanguage()
  const { texts: byLanguage, dialString } = of
  return (
    <>
      {byLanguage[language] ?? byLanguage.en ?? Object.values(byLanguage)[0]}{' '}
      {dialString && <CopyText text={dialString} />}
    </>
  )
}
