import { Link, useLocation, useSearchParams } from 'wouter-preact'
import { usePermissions } from '../../api/scope.tsx'
import { CaseFileTimeline } from '../../parts/case-file.tsx'
import { lazyComponent } from '../../parts/code-loading.tsx'
import { SectionTitle } from '../../parts/page.tsx'
import type { Payment } from './origin.ts'
import { usePaymentTexts } from './payment-texts.ts'
import type { RecordProps } from './record-tables.tsx'

const loadTables = () => import('./record-tables.tsx')

/** The tabs, each with the permission that it requires. */
const tabs = [
  { name: 'history' },
  { name: 'events', permission: 'events:read' },
  { name: 'deliveries', permission: 'webhooks:read' },
  { name: 'requests', permission: 'requests:read' },
  { name: 'json' },
] as const

/** Tabs with the history, the events, their deliveries, the API requests and the JSON. Each is read when opened. */
export function PaymentRecords({ payment }: { payment: Payment }) {
  const t = usePaymentTexts()
  const may = usePermissions()
  const [location] = useLocation()
  const [search] = useSearchParams()
  const RecordTable = lazyComponent<RecordProps>(loadTables)
  const labels = {
    history: t.whatHappened,
    events: t.events,
    deliveries: t.deliveries,
    requests: t.apiLog,
    json: t.json,
  }
  const names = tabs.flatMap((tab) => ('permission' in tab && !may(tab.permission) ? [] : [tab.name]))
  const current = names.find((name) => name === search.get('view')) ?? 'history'
  return (
    <section aria-label={t.records}>
      <nav class="states" aria-label={t.records}>
        {names.map((name) => (
          <Link
            key={name}
            replace
            href={name === 'history' ? location : `${location}?view=${name}`}
            aria-current={name === current ? 'true' : undefined}
          >
            {labels[name]}
          </Link>
        ))}
      </nav>
      <SectionTitle.Provider value={labels[current]}>
        {current === 'history' ? (
          <CaseFileTimeline of="payments" id={payment.id} />
        ) : (
          <RecordTable of={current} payment={payment} />
        )}
      </SectionTitle.Provider>
    </section>
  )
}
