import { api } from '../../api/client.ts'
import { ObjectLink } from '../../parts/links.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { useRecallColumns } from './recall-table.tsx'
import { useTexts } from './texts.ts'

/** The page that lists all recalls of the Space. */
export default function Recalls() {
  const t = useTexts()
  return (
    <ListPage
      page="/recalls"
      of={api.recalls.list}
      empty={t.empty}
      filters={[
        { name: 'q', label: t.search, type: 'search' },
        { name: 'status', label: t.status, choices: t.states },
      ]}
      isDated
      columns={[
        ...useRecallColumns(),
        { label: t.payout, isExtra: true, cell: ({ payoutId }) => <ObjectLink id={payoutId} /> },
      ]}
    />
  )
}
