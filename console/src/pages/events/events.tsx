import { download } from '../../api/client.ts'
import { eventTypes } from '../../api/event-types.ts'
import { useRows } from '../../api/queries.ts'
import { useHere } from '../../api/scope.tsx'
import { DownloadButton, type Filter, Filters, PagedTable, useFilters } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export default function Events() {
  const t = useTexts(texts)
  const { scope } = useHere()
  const filters: Filter[] = [
    { name: 'q', label: t.search },
    { name: 'type', label: t.type, choices: Object.fromEntries(eventTypes.map((type) => [type, type])) },
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows('GET /v1/events', { query: { ...query, limit: 25 } })
  return (
    <>
      <PageHead title={t.events}>
        <DownloadButton
          name="events.csv"
          get={() => download('GET /v1/events', { query }, 'text/csv', { scope })}
        />
      </PageHead>
      <Filters filters={filters} />
      <PagedTable
        label={t.events}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/events/${id}`}
        columns={[
          { label: t.type, cell: ({ type }) => type },
          { label: t.object, isExtra: true, cell: ({ object }) => <code>{object.id}</code> },
          { label: t.sequence, isNumber: true, isExtra: true, cell: ({ sequence }) => sequence },
          { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
        ]}
      />
    </>
  )
}
