import { ListPage } from '../../parts/list-page.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { RecallStatus } from './recall-status.tsx'
import { texts } from './texts.ts'

/** Payouts to the wrong person, asked back. */
export default function Recalls() {
  const t = useTexts(texts)
  const w = useTexts(words)
  return (
    <ListPage
      title={t.title}
      of="GET /v1/recalls"
      empty={t.empty}
      filters={[
        { name: 'q', label: w.search, type: 'search' },
        { name: 'status', label: w.status, choices: t.states },
        { name: 'from', label: w.from, type: 'date' },
        { name: 'to', label: w.to, type: 'date' },
      ]}
      linkOf={({ id }) => `/recalls/${id}`}
      columns={[
        { label: t.reason, cell: ({ reason }) => t.reasons[reason] },
        { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: w.status, cell: ({ status }) => <RecallStatus of={status} /> },
        { label: t.payout, isExtra: true, cell: ({ payoutId }) => <code>{payoutId}</code> },
        { label: w.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}
