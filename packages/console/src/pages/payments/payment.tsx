import { useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CaseFile } from '../../parts/case-file.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { useLanguage, useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { EditDialog } from './edit-dialog.tsx'
import { LedgerLines } from './ledger-lines.tsx'
import { originOf, type Payment, pathOfOrigin } from './origin.ts'
import { PaymentReceipt } from './payment-receipt.tsx'
import { PaymentRefunds } from './payment-refunds.tsx'
import { payerOf } from './payments-table.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { texts } from './texts.ts'

export default function PaymentPage() {
  const { id = '' } = useParams()
  const { data: payment, error } = useRead(api.payments.retrieve, [id])
  if (error) return <ErrorPage error={error} />
  return payment ? <Shown payment={payment} /> : <Loading />
}

function Shown({ payment }: { payment: Payment }) {
  const w = useTexts(words)
  const money = useMoney()
  const may = usePermissions()
  return (
    <>
      <PageHead
        title={`${money(payment.amount)} · ${payment.name || payment.orderNumber}`}
        above={{ title: w.payments, path: '/payments' }}
      >
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
  const t = useTexts(texts)
  const may = usePermissions()
  const [open, setOpen] = useState<'refund' | 'edit'>()
  const isRefundable =
    may('refunds:propose') && payment.status === 'completed' && payment.refund.refundable.value > 0
  const close = () => setOpen(undefined)
  return (
    <>
      {isRefundable && (
        <button type="button" class="main" onClick={() => setOpen('refund')}>
          {t.refund}
        </button>
      )}
      {may('payments:write') && (
        <button type="button" class="quiet" onClick={() => setOpen('edit')}>
          {t.edit}
        </button>
      )}
      {open === 'refund' && <RefundDialog payment={payment} onClose={close} />}
      {open === 'edit' && <EditDialog payment={payment} onClose={close} />}
    </>
  )
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const money = useMoney()
  const { amount, channel, refund, fees, metadata } = payment
  const origin = originOf(payment)
  const isInFlight = payment.status === 'pending' || payment.status === 'processing'
  return (
    <Facts
      of={[
        [w.status, <Status of={payment.status} />],
        [t.why, payment.failureDetail && <Failure of={payment.failureDetail} />],
        [t.toDo, isInFlight && payment.instructions && <Guidance of={payment.instructions} />],
        [w.amount, <Money of={amount} />],
        [w.payer, payerOf(payment)],
        [w.provider, <ProviderName id={channel.provider} />],
        [w.time, <Time at={payment.createTime} />],
        [w.orderNumber, payment.orderNumber],
        [t.paidThrough, origin && <PageLink {...pathOfOrigin(origin)}>{t.origins[origin.type]}</PageLink>],
        [w.fees, fees.map((fee) => money(fee.amount)).join(', ')],
        [t.refunded, refund.refunded.value > 0 && <Money of={refund.refunded} />],
        [t.railReference, channel.reference],
        [w.reference, payment.reference],
        [w.note, typeof metadata.note === 'string' && metadata.note],
        [w.id, <CopyText text={payment.id} />],
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
