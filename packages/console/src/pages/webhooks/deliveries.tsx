import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { BulkButton } from '../../parts/bulk-button.tsx'
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx'
import { Section } from '../../parts/page.tsx'
import { SelectionBar, useSelection } from '../../parts/selection.tsx'
import { useStatusChoices } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { DeliveryStatus, isResendable } from './delivery-status.tsx'
import { Outcome } from './outcome.tsx'
import { useTexts } from './texts.ts'

/** The deliveries of a webhook, by status. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const t = useTexts()
  const statuses = { ...useStatusChoices(['delivered']), failed: t.gaveUp }
  const filters: Filter[] = [
    { name: 'status', label: t.status, choices: { pending: t.notTaken, ...statuses } },
    { name: 'from', label: t.since, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows(api.webhooks.deliveries, [webhookId, { ...query, limit: 25 }], {
    isMoving: ({ status }) => status === 'pending',
  })
  const may = usePermissions()
  const { selection, chosen, clear } = useSelection(read.rows)
  const resendable = chosen.filter(isResendable)
  return (
    <Section title={t.deliveries}>
      <Filters filters={filters} />
      <PagedTable
        read={read}
        isFiltered={Object.keys(query).length > 0}
        empty={t.noDeliveries}
        selection={selection}
        linkOf={({ id }) => `/deliveries/${id}`}
        columns={[
          { label: t.event, cell: ({ eventType }) => eventType },
          { label: t.status, cell: (delivery) => <DeliveryStatus of={delivery} /> },
          { label: t.response, cell: ({ attempts }) => <LastResponse of={attempts.at(-1)} /> },
          { label: t.attempts, isNumber: true, isExtra: true, cell: ({ attempts }) => attempts.length },
          { label: t.next, isExtra: true, cell: ({ nextAttemptTime }) => <Time at={nextAttemptTime} /> },
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
      <SelectionBar {...{ chosen, clear }} file="deliveries">
        {may('webhooks:resend') && (
          <BulkButton
            action={t.resendSelected(resendable.length)}
            title={t.resendSelected(resendable.length)}
            rows={resendable}
            nameOf={({ eventType, createTime }) => (
              <>
                {eventType} · <Time at={createTime} />
              </>
            )}
            call={api.deliveries.redeliver}
            argsOf={({ id }) => [id]}
            onSent={clear}
          />
        )}
      </SelectionBar>
    </Section>
  )
}

function LastResponse({ of: attempt }: { of: Parameters<typeof Outcome>[0]['of'] | undefined }) {
  return attempt ? <Outcome of={attempt} /> : <>–</>
}
