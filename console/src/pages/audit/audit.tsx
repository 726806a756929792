import { api, download, type ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { DownloadButton } from '../../parts/download.tsx'
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { PageHead } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { detailsOf } from './changes.ts'
import { texts } from './texts.ts'

type AuditEntry = ResultOf<typeof api.auditEntries.list>[number]

export default function Audit() {
  const t = useTexts(texts)
  const { scope } = useCurrentSpace()
  const filters: Filter[] = [
    { name: 'actor', label: t.actor, hint: t.actorHint },
    { name: 'action', label: t.action, hint: t.actionHint },
    { name: 'objectId', label: t.object, hint: t.objectHint },
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows(api.auditEntries.list, [{ ...query, limit: 25 }])
  return (
    <>
      <PageHead title={t.audit}>
        <DownloadButton
          name="audit-entries.csv"
          get={() => download(api.auditEntries.list, [query], 'text/csv', scope)}
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
          { label: t.details, cell: (entry) => <Details of={entry} /> },
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </>
  )
}

/**
 * Shows the reason, the object and one line for each detail. The label of a detail is its field name in the
 * API.
 */
function Details({ of: { reason, object, details } }: { of: AuditEntry }) {
  const t = useTexts(texts)
  const money = useMoney()
  return (
    <>
      <div>{reason}</div>
      <ObjectLink id={object.id} />
      {detailsOf(details, money).map(({ name, was, is }) => (
        <div class="muted" key={name}>
          {name}: {was !== undefined && <>{was || t.none} → </>}
          {is || t.none}
        </div>
      ))}
    </>
  )
}
