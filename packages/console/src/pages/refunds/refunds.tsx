import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { Status, useStatusChoices } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { reasonWords, useTexts as useRefundTexts } from '../payments/texts.ts'
import { useTexts } from './texts.ts'

export default function Refunds() {
  const t = useTexts()
  const r = useRefundTexts()
  return (
    <ListPage
      page="/refunds"
      of={api.refunds.list}
      file="refunds"
      empty={t.empty}
      filters={[
        { name: 'q', label: t.search, hint: t.searchHint },
        {
          name: 'status',
          label: t.status,
          choices: useStatusChoices(['pending', 'processing', 'completed', 'failed', 'cancelled']),
        },
        { name: 'provider', label: t.provider, choices: useProviderChoices() },
        { name: 'phoneNumber', label: t.phone, type: 'tel' },
        { name: 'amount', label: t.amount, type: 'amount' },
      ]}
      counts={api.refunds.counts}
      isDated
      columns={[
        { label: r.reason, cell: ({ reason }) => reasonWords(r, reason) },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        {
          label: t.status,
          cell: ({ status, pendingReason }) => (
            <Status of={status} words={pendingReason ? r.pendingReasons[pendingReason] : undefined} />
          ),
        },
        { label: t.orderNumber, cell: ({ orderNumber }) => orderNumber, isExtra: true },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}
