import { download, type ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useHere } from '../../api/scope.tsx'
import { DownloadButton, type Filter, Filters, PagedTable, useFilters } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Status, useStatusChoices } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

type Payment = ResultOf<'GET /v1/payments'>[number]
const pageSize = 25

export default function Payments() {
  const t = useTexts(texts)
  const { scope } = useHere()
  const filters: Filter[] = [
    { name: 'q', label: t.search },
    {
      name: 'status',
      label: t.status,
      choices: useStatusChoices(['pending', 'processing', 'completed', 'failed']),
    },
    { name: 'phoneNumber', label: t.phone, type: 'tel' },
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows('GET /v1/payments', { query: { ...query, limit: pageSize } })
  return (
    <>
      <PageHead title={t.payments}>
        <DownloadButton
          name="payments.csv"
          get={() => download('GET /v1/payments', { query }, 'text/csv', { scope })}
        />
      </PageHead>
      <Filters filters={filters} />
      <PagedTable
        label={t.payments}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/payments/${id}`}
        columns={[
          { label: t.order, cell: ({ name, orderNumber }) => name || orderNumber },
          { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          { label: t.status, cell: ({ status }) => <Status of={status} /> },
          { label: t.payer, cell: (payment) => payerOf(payment), isExtra: true },
          { label: t.provider, cell: ({ channel }) => channel.provider, isExtra: true },
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </>
  )
}

/** As far as it may be shown. */
export function payerOf({ channel }: Pick<Payment, 'channel'>): string {
  const { phoneNumber, accountNumber, walletId, scheme, last4 } = channel
  return phoneNumber ?? accountNumber ?? walletId ?? [scheme, last4 && `…${last4}`].filter(Boolean).join(' ')
}
