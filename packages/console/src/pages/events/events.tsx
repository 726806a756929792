import { api } from '../../api/client.ts'
import { eventTypes } from '../../api/event-types.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export default function Events() {
  const t = useTexts()
  return (
    <ListPage
      page="/events"
      of={api.events.list}
      file="events"
      filters={[
        { name: 'q', label: t.search },
        { name: 'type', label: t.type, choices: Object.fromEntries(eventTypes.map((type) => [type, type])) },
      ]}
      isDated
      columns={[
        { label: t.type, cell: ({ type }) => type },
        { label: t.object, isExtra: true, cell: ({ object }) => <code>{object.id}</code> },
        { label: t.sequence, isNumber: true, isExtra: true, cell: ({ sequence }) => sequence },
        { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
      ]}
    />
  )
}
