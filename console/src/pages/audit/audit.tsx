import { download } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useHere } from '../../api/scope.tsx'
import { DownloadButton, type Filter, Filters, PagedTable, useFilters } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { texts } from './texts.ts'

export default function Audit() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { scope } = useHere()
  const filters: Filter[] = [
    { name: 'actor', label: t.actor, hint: t.actorHint },
    { name: 'action', label: t.action, hint: t.actionHint },
    { name: 'objectId', label: t.object, hint: t.objectHint },
    { name: 'from', label: w.from, type: 'date' },
    { name: 'to', label: w.to, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows('GET /v1/audit-entries', { query: { ...query, limit: 25 } })
  return (
    <>
      <PageHead title={t.audit}>
        <DownloadButton
          name="audit-entries.csv"
          get={() => download('GET /v1/audit-entries', { query }, 'text/csv', { scope })}
        />
      </PageHead>
      <Filters filters={filters} />
      <PagedTable
        label={t.audit}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        empty={t.empty}
        keyOf={({ id }) => id}
        columns={[
          { label: t.action, cell: ({ action }) => action },
          { label: t.actor, cell: ({ actor }) => actor },
          { label: t.reason, isExtra: true, cell: ({ reason }) => reason },
          { label: t.object, isExtra: true, cell: ({ object }) => <code>{object.id}</code> },
          { label: t.details, isExtra: true, cell: ({ details }) => <Details of={details} /> },
          { label: w.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </>
  )
}

/** A line for each; what it is called is the API's own word. */
function Details({ of }: { of: Record<string, unknown> }) {
  return (
    <>
      {Object.entries(of)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
          </div>
        ))}
    </>
  )
}
