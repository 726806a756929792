import { api, type ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export type Recall = ResultOf<typeof api.recalls.retrieve>

const toneOf = { open: 'open', returned: 'completed', refused: 'failed', cancelled: 'closed' }

export function RecallStatus({ of }: { of: Recall['status'] }) {
  const t = useTexts()
  return <Status of={toneOf[of]} words={t.states[of]} />
}

export function useRecallColumns(): Column<Recall>[] {
  const t = useTexts()
  return [
    { label: t.reason, cell: ({ reason }) => t.reasons[reason] },
    { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
    { label: t.status, cell: ({ status }) => <RecallStatus of={status} /> },
    { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
  ]
}

/** Lists the recalls of a payout, if there are any. */
export function PayoutRecalls({ payoutId }: { payoutId: string }) {
  const t = useTexts()
  const columns = useRecallColumns()
  const read = useRows(api.recalls.list, [{ payoutId }])
  if (!read.error && read.rows.length === 0) return null
  return (
    <Section title={t.title}>
      <PagedTable read={read} linkOf={({ id }) => `/recalls/${id}`} columns={columns} />
    </Section>
  )
}
