import { useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { ReceiptStatus } from '../../parts/receipt-status.tsx'
import { Section } from '../../parts/section.tsx'
import { Table } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { type Receipt, RedeemDialog } from './redeem-dialog.tsx'
import { SendDialog } from './send-dialog.tsx'
import { texts } from './texts.ts'

export default function ReceiptPage() {
  const { orderNumber = '' } = useParams()
  const { data: receipt, error } = useRead(api.receipts.retrieve, [orderNumber])
  if (error) return <ErrorPage error={error} />
  return receipt ? <Shown receipt={receipt} /> : <Loading />
}

function Shown({ receipt }: { receipt: Receipt }) {
  const t = useTexts(texts)
  const may = usePermissions()
  const [isRedeeming, setRedeeming] = useState(false)
  const [isSending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<'done' | 'nothingRedeemed' | 'sent'>()
  const isOpen = receipt.status !== 'fully_redeemed'
  return (
    <>
      <PageHead title={receipt.orderName} above={{ title: t.receipts, path: '/receipts' }}>
        {isOpen && may('receipts:write') && (
          <button type="button" class="main" onClick={() => setRedeeming(true)}>
            {t.redeem}
          </button>
        )}
        {may('receipts:send') && (
          <button type="button" class="quiet" onClick={() => setSending(true)}>
            {t.sendByMail}
          </button>
        )}
      </PageHead>
      <p role="status" class={outcome && `notice ${outcome === 'nothingRedeemed' ? 'bad' : 'good'}`}>
        {outcome && t[outcome]}
      </p>
      <Facts
        of={[
          [t.status, <ReceiptStatus of={receipt.status} />],
          [t.amount, <Money of={receipt.orderAmount} />],
          [t.orderNumber, receipt.orderNumber],
          [t.paid, <Time at={receipt.createTime} />],
          [t.redeemedOn, <Time at={receipt.updateTime} />],
        ]}
      />
      <Section title={t.items}>
        <Table
          label={t.items}
          rows={receipt.entitlements}
          keyOf={({ key }) => key}
          columns={[
            { label: t.item, cell: ({ name }) => name },
            { label: t.remaining, isNumber: true, cell: ({ remaining, limit }) => `${remaining} / ${limit}` },
            { label: t.current, isNumber: true, isExtra: true, cell: ({ current }) => current },
          ]}
        />
      </Section>
      {may('payments:read') && <Payments orderNumber={receipt.orderNumber} />}
      {isSending && (
        <SendDialog
          orderNumber={receipt.orderNumber}
          onSent={() => setOutcome('sent')}
          onClose={() => setSending(false)}
        />
      )}
      {isRedeeming && (
        <RedeemDialog receipt={receipt} onEnd={setOutcome} onClose={() => setRedeeming(false)} />
      )}
    </>
  )
}

function Payments({ orderNumber }: { orderNumber: string }) {
  const t = useTexts(texts)
  const read = useRows(api.payments.list, [{ orderNumber }])
  return (
    <Section title={t.payments}>
      <PaymentsTable read={read} />
    </Section>
  )
}
