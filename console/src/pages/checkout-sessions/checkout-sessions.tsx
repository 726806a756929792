import { Link } from 'wouter-preact'
import { download } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useHere, useMay } from '../../api/scope.tsx'
import { DownloadButton, type Filter, Filters, PagedTable, useFilters } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { texts } from './texts.ts'

const pageSize = 25

export default function CheckoutSessions() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { scope } = useHere()
  const may = useMay()
  const filters: Filter[] = [
    { name: 'q', label: w.search, hint: t.searchHint },
    { name: 'status', label: w.status, choices: t.statuses },
    { name: 'from', label: w.from, type: 'date' },
    { name: 'to', label: w.to, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows('GET /v1/checkout-sessions', { query: { ...query, limit: pageSize } })
  return (
    <>
      <PageHead title={t.links}>
        {may('checkout-sessions:write') && (
          <Link class="button main" href="/checkout-sessions/new">
            {t.create}
          </Link>
        )}
        <DownloadButton
          name="payment-links.csv"
          get={() => download('GET /v1/checkout-sessions', { query }, 'text/csv', { scope })}
        />
      </PageHead>
      <Filters filters={filters} />
      <PagedTable
        label={t.links}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        empty={t.empty}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/checkout-sessions/${id}`}
        columns={[
          { label: w.name, cell: ({ name }) => name },
          { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          { label: w.status, cell: ({ status }) => <Status of={status} words={t.statuses[status]} /> },
          { label: w.orderNumber, cell: ({ orderNumber }) => orderNumber, isExtra: true },
          { label: w.expireTime, cell: ({ expireTime }) => <Time at={expireTime} />, isExtra: true },
          { label: w.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </>
  )
}
