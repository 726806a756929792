import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time, useMoney } from '../../text/format.tsx'
import { isMoving } from './decisions.tsx'
import { BatchProgress } from './progress.tsx'
import { useTexts } from './texts.ts'

export default function PayoutBatches() {
  const t = useTexts()
  const money = useMoney()
  return (
    <ListPage
      page="/payout-batches"
      of={api.payoutBatches.list}
      empty={t.empty}
      filters={[{ name: 'status', label: t.status, choices: t.states }]}
      isDated
      isMoving={isMoving}
      columns={[
        { label: t.name, cell: ({ name }) => name },
        {
          label: t.amount,
          isNumber: true,
          cell: ({ totals }) => totals.map(({ amount }) => money(amount)).join(', '),
        },
        { label: t.status, cell: ({ status }) => <Status of={status} words={t.states[status]} /> },
        { label: t.progress, cell: (batch) => <BatchProgress of={batch} /> },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} />, isExtra: true },
      ]}
      create={t.create}
    />
  )
}
