import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { Status, useStatusChoices } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { texts as refundTexts } from '../payments/texts.ts'
import { texts } from './texts.ts'

export default function Refunds() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const r = useTexts(refundTexts)
  return (
    <ListPage
      title={w.refunds}
      of={api.refunds.list}
      file="refunds.csv"
      empty={t.empty}
      filters={[
        { name: 'q', label: w.search, hint: t.searchHint },
        {
          name: 'status',
          label: w.status,
          choices: useStatusChoices(['pending', 'processing', 'completed', 'failed', 'cancelled']),
        },
        { name: 'provider', label: w.provider, choices: useProviderChoices() },
        { name: 'phoneNumber', label: w.phone, type: 'tel' },
        { name: 'amount', label: w.amount, type: 'amount' },
        { name: 'from', label: w.from, type: 'date' },
        { name: 'to', label: w.to, type: 'date' },
      ]}
      linkOf={({ id }) => `/refunds/${id}`}
      columns={[
        { label: r.reason, cell: ({ reason }) => r.reasons[reason] },
        { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        {
          label: w.status,
          cell: ({ status, pendingReason }) => (
            <Status of={status} words={pendingReason ? r.pendingReasons[pendingReason] : undefined} />
          ),
        },
        { label: w.orderNumber, cell: ({ orderNumber }) => orderNumber, isExtra: true },
        { label: w.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}
