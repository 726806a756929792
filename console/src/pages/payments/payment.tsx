import { useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import type { ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { CopyText, Facts } from '../../parts/facts.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { payerOf } from './payments.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { texts } from './texts.ts'

export default function PaymentPage() {
  const { id = '' } = useParams()
  const { data: payment, error } = useRead('GET /v1/payments/{id}', { path: { id } })
  if (error) return <ErrorNotice error={error} />
  return payment ? <Shown payment={payment} /> : <Loading />
}

function Shown({ payment }: { payment: ResultOf<'GET /v1/payments/{id}'> }) {
  const t = useTexts(texts)
  const money = useMoney()
  const may = useMay()
  const [isRefunding, setRefunding] = useState(false)
  const { amount, channel, refund, fees, failureDetail } = payment
  const isRefundable = may('refunds:write') && payment.status === 'completed' && refund.refundable.value > 0
  return (
    <>
      <PageHead
        title={`${money(amount)} · ${payment.name || payment.orderNumber}`}
        above={{ title: t.payments, path: '/payments' }}
      >
        {isRefundable && (
          <button type="button" class="main" onClick={() => setRefunding(true)}>
            {t.refund}
          </button>
        )}
      </PageHead>
      <Facts
        of={[
          [t.status, <Status of={payment.status} />],
          [t.why, failureDetail?.message],
          [t.amount, <Money of={amount} />],
          [t.payer, payerOf(payment)],
          [t.provider, channel.provider],
          [t.time, <Time at={payment.createTime} />],
          [t.order, payment.orderNumber],
          [t.fees, fees.map((fee) => money(fee.amount)).join(', ')],
          [t.refunded, refund.refunded.value > 0 && <Money of={refund.refunded} />],
          [t.railReference, channel.reference],
          [t.reference, payment.reference],
          [t.id, <CopyText text={payment.id} />],
        ]}
      />
      {isRefunding && <RefundDialog payment={payment} onClose={() => setRefunding(false)} />}
    </>
  )
}
