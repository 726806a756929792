import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

const methods = { GET: 'GET', POST: 'POST', PATCH: 'PATCH', DELETE: 'DELETE' }

export default function Requests() {
  const t = useTexts(texts)
  const filters: Filter[] = [
    { name: 'requestId', label: t.requestId },
    { name: 'statusClass', label: t.result, choices: t.outcomes },
    { name: 'method', label: t.method, choices: methods },
    { name: 'pathPrefix', label: t.path },
    { name: 'tokenId', label: t.tokenId },
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows(api.requests.list, [{ ...query, limit: 25 }])
  return (
    <>
      <PageHead title={t.requests} />
      <p class="muted">{t.kept}</p>
      <Filters filters={filters} />
      <PagedTable
        label={t.requests}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/requests/${id}`}
        columns={[
          { label: t.address, cell: ({ method, path }) => `${method} ${path}` },
          { label: t.status, isNumber: true, cell: ({ status }) => status },
          { label: t.reason, isExtra: true, cell: ({ reason }) => reason && <code>{reason}</code> },
          { label: t.duration, isNumber: true, isExtra: true, cell: ({ durationMs }) => `${durationMs} ms` },
          { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
        ]}
      />
    </>
  )
}
