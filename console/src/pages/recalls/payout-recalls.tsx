import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { useTexts } from '../../text/languages.tsx'
import { useRecallColumns } from './recall-columns.tsx'
import { texts } from './texts.ts'

/** Lists the recalls of a payout, if there are any. */
export function PayoutRecalls({ payoutId }: { payoutId: string }) {
  const t = useTexts(texts)
  const columns = useRecallColumns()
  const read = useRows(api.recalls.list, [{ payoutId }])
  if (!read.error && read.rows.length === 0) return null
  return (
    <Section title={t.title}>
      <PagedTable read={read} linkOf={({ id }) => `/recalls/${id}`} columns={columns} />
    </Section>
  )
}
