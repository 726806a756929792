import type { Column } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { type Recall, RecallStatus } from './recall-status.tsx'
import { texts } from './texts.ts'

export function useRecallColumns(): Column<Recall>[] {
  const t = useTexts(texts)
  return [
    { label: t.reason, cell: ({ reason }) => t.reasons[reason] },
    { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
    { label: t.status, cell: ({ status }) => <RecallStatus of={status} /> },
    { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
  ]
}
