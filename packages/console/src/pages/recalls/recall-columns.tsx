import type { Column } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { type Recall, RecallStatus } from './recall-status.tsx'
import { texts } from './texts.ts'

export function useRecallColumns(): Column<Recall>[] {
  const t = useTexts(texts)
  const w = useTexts(words)
  return [
    { label: t.reason, cell: ({ reason }) => t.reasons[reason] },
    { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
    { label: w.status, cell: ({ status }) => <RecallStatus of={status} /> },
    { label: w.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
  ]
}
