import { download } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useHere } from '../../api/scope.tsx'
import { DownloadButton } from '../../parts/download.tsx'
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { PayerLink } from '../../parts/payer-link.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { useStatusChoices } from '../../parts/status.tsx'
import { countries } from '../../text/countries.ts'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { PaymentsTable } from './payments-table.tsx'
import { texts } from './texts.ts'

const pageSize = 25

export default function Payments() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { scope } = useHere()
  const filters = usePaymentFilters()
  const query = useFilters(filters)
  const read = useRows('GET /v1/payments', { query: { ...query, limit: pageSize } })
  const { phoneNumber } = query
  return (
    <>
      <PageHead title={w.payments}>
        <DownloadButton
          name="payments.csv"
          get={() => download('GET /v1/payments', { query }, 'text/csv', { scope })}
        />
      </PageHead>
      <Filters filters={filters} />
      {phoneNumber && (
        <p class="hint">
          <PayerLink phone={phoneNumber}>{t.allOfPayer(phoneNumber)}</PayerLink>
        </p>
      )}
      <PaymentsTable read={read} isFiltered={Object.keys(query).length > 0} empty={t.empty} />
    </>
  )
}

function usePaymentFilters(): Filter[] {
  const t = useTexts(texts)
  const w = useTexts(words)
  const statuses = useStatusChoices(['pending', 'processing', 'completed', 'failed'])
  const example = countries[useHere().space.country]?.example ?? ''
  return [
    { name: 'q', label: w.search, hint: t.searchHint },
    { name: 'status', label: w.status, choices: statuses },
    { name: 'provider', label: w.provider, choices: useProviderChoices() },
    { name: 'phoneNumber', label: w.phone, type: 'tel', hint: example },
    { name: 'amount', label: w.amount, type: 'amount' },
    { name: 'from', label: w.from, type: 'date' },
    { name: 'to', label: w.to, type: 'date' },
  ]
}
