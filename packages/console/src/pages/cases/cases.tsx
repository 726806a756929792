import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status, useStatusChoices } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export default function Cases() {
  const t = useTexts()
  return (
    <ListPage
      page="/cases"
      of={api.cases.list}
      file="cases"
      empty={t.empty}
      filters={[{ name: 'status', label: t.status, choices: useStatusChoices(['open', 'closed']) }]}
      isDated
      columns={[
        { label: t.type, cell: ({ kind }) => t.kinds[kind] },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: t.returned, isNumber: true, isExtra: true, cell: ({ returned }) => <Money of={returned} /> },
        { label: t.remaining, isNumber: true, cell: ({ remaining }) => <Money of={remaining} /> },
        { label: t.status, cell: ({ status }) => <Status of={status} /> },
        { label: t.object, isExtra: true, cell: ({ objectId }) => <code>{objectId}</code> },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}
