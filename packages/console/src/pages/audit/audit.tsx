import { api, type ResultOf } from '../../api/client.ts'
import { ObjectLink } from '../../parts/links.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Time, useMoney } from '../../text/format.tsx'
import { detailsOf } from './changes.ts'
import { useTexts } from './texts.ts'

type AuditEntry = ResultOf<typeof api.auditEntries.list>[number]

export default function Audit() {
  const t = useTexts()
  return (
    <ListPage
      page="/audit"
      of={api.auditEntries.list}
      file="audit-entries"
      empty={t.empty}
      filters={[
        { name: 'actor', label: t.actor, hint: t.actorHint },
        { name: 'action', label: t.action, hint: t.actionHint },
        { name: 'objectId', label: t.object, hint: t.objectHint },
      ]}
      isDated
      columns={[
        { label: t.action, cell: ({ action }) => action },
        { label: t.actor, cell: ({ actor }) => actor },
        { label: t.details, cell: (entry) => <Details of={entry} /> },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}

/**
 * Shows the reason, the object and one line for each detail. The label of a detail is its field name in the
 * API.
 */
function Details({ of: { reason, object, details } }: { of: AuditEntry }) {
  const t = useTexts()
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
