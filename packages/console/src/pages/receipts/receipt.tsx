import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { ReceiptStatus } from '../../parts/receipt-status.tsx'
import { Table } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { PaymentsSection } from '../payments/payments-table.tsx'
import { type Receipt, RedeemButton, SendButton } from './dialogs.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.receipts.retrieve, ReceiptView, { param: 'orderNumber' })

function ReceiptView({ of: receipt }: { of: Receipt }) {
  const t = useTexts()
  const may = usePermissions()
  const [outcome, setOutcome] = useState<'done' | 'nothingRedeemed' | 'sent'>()
  const isOpen = receipt.status !== 'fully_redeemed'
  return (
    <>
      <PageHead title={receipt.orderName} above="/receipts">
        {isOpen && may('receipts:write') && <RedeemButton receipt={receipt} onEnd={setOutcome} />}
        {may('receipts:send') && (
          <SendButton orderNumber={receipt.orderNumber} onSent={() => setOutcome('sent')} />
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
          rows={receipt.entitlements}
          keyOf={({ key }) => key}
          columns={[
            { label: t.item, cell: ({ name }) => name },
            { label: t.remaining, isNumber: true, cell: ({ remaining, limit }) => `${remaining} / ${limit}` },
            { label: t.current, isNumber: true, isExtra: true, cell: ({ current }) => current },
          ]}
        />
      </Section>
      {may('payments:read') && (
        <PaymentsSection title={t.payments} query={{ orderNumber: receipt.orderNumber }} />
      )}
    </>
  )
}
