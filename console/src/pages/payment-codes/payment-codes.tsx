import { Link } from 'wouter-preact'
import { download } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useHere, useMay } from '../../api/scope.tsx'
import { DownloadButton, type Filter, Filters, PagedTable, useFilters } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { CodeStatus } from './code-status.tsx'
import { texts } from './texts.ts'

const pageSize = 25

export default function PaymentCodes() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { scope } = useHere()
  const may = useMay()
  const filters: Filter[] = [
    { name: 'q', label: w.search, hint: t.searchHint },
    { name: 'ussd_code', label: t.dial, hint: '*715*…#' },
    { name: 'status', label: w.status, choices: t.statuses },
    { name: 'mode', label: t.mode, choices: t.modes },
    { name: 'from', label: w.from, type: 'date' },
    { name: 'to', label: w.to, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows('GET /v1/payment-codes', { query: { ...query, limit: pageSize } })
  return (
    <>
      <PageHead title={t.codes}>
        {may('payment-codes:write') && (
          <Link class="button main" href="/payment-codes/new">
            {t.create}
          </Link>
        )}
        <DownloadButton
          name="payment-codes.csv"
          get={() => download('GET /v1/payment-codes', { query }, 'text/csv', { scope })}
        />
      </PageHead>
      <Filters filters={filters} />
      <PagedTable
        label={t.codes}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        empty={t.empty}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/payment-codes/${id}`}
        columns={[
          { label: w.name, cell: ({ name }) => name },
          {
            label: w.amount,
            isNumber: true,
            cell: ({ amount }) => (amount ? <Money of={amount} /> : t.open),
          },
          { label: w.status, cell: (code) => <CodeStatus of={code} /> },
          { label: t.dial, cell: ({ ussdCode }) => <code class="number-text">{ussdCode}</code> },
          { label: t.mode, cell: ({ mode }) => t.modes[mode], isExtra: true },
          { label: w.expireTime, cell: ({ expireTime }) => <Time at={expireTime} />, isExtra: true },
        ]}
      />
    </>
  )
}
