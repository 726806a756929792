import { api, type InputOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { lazyComponent } from '../../parts/code-loading.tsx'
import { usePhoneExample } from '../../parts/country.ts'
import { ExportButton, nameOfToday } from '../../parts/download.tsx'
import { isAmountText, useFilterReader } from '../../parts/filter-values.ts'
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx'
import { PayerLink } from '../../parts/links.tsx'
import { MenuPageHead } from '../../parts/page.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { SelectionBar, useSelection } from '../../parts/selection.tsx'
import { useStatusChoices } from '../../parts/status.tsx'
import { PaymentsTable } from './payments-table.tsx'
import { useTexts } from './texts.ts'

const pageSize = 25
const loadRefund = () => import('./refund-selected.tsx')

export default function Payments() {
  const t = useTexts()
  const filters = usePaymentFilters()
  const set = useFilters(filters)
  const { query, read } = usePaymentSearch(set)
  const { phoneNumber } = set
  const RefundSelected = lazyComponent(loadRefund, null)
  const { selection, chosen, clear } = useSelection(read.rows)
  return (
    <>
      <MenuPageHead page="/payments">
        <ExportButton name={nameOfToday('payments')} of={api.payments.list} args={[query]} />
      </MenuPageHead>
      <Filters filters={filters} counts={api.payments.counts} />
      {phoneNumber && (
        <p class="hint">
          <PayerLink phone={phoneNumber}>{t.allOfPayer(phoneNumber)}</PayerLink>
        </p>
      )}
      <PaymentsTable
        read={read}
        isFiltered={Object.keys(set).length > 0}
        empty={t.empty}
        selection={selection}
      />
      <SelectionBar {...{ chosen, clear }} file="payments">
        <RefundSelected chosen={chosen} onSent={clear} />
      </SelectionBar>
    </>
  )
}

type Query = NonNullable<InputOf<typeof api.payments.list>>

/**
 * Searches payments. Text that contains a digit is first looked up as the ID of a payment or as a full phone
 * number. If there is no match, amounts are searched, or names and references.
 */
function usePaymentSearch({ q, ...others }: Record<string, string>) {
  const idQuery: Query = { ...others, ...(q && { q }) }
  const textQuery: Query = { ...others, ...(q && { text: q }) }
  const readValue = useFilterReader(null)
  const isLong = q !== undefined && q.length > 1
  const isName = isLong && !/\d/.test(q)
  const byName = useRows(api.payments.list, [{ ...idQuery, limit: pageSize }], { enabled: !isName })
  const hasNoMatch = !byName.isLoading && !byName.error && byName.rows.length === 0 && !byName.more
  const isText = isName || (isLong && hasNoMatch && /\p{L}/u.test(q))
  const amount = hasNoMatch && q && isAmountText(q) ? readValue('amount', q) : undefined
  const otherQuery: Query = amount ? { ...others, amount: Number(amount) } : textQuery
  const isOther = isText || amount !== undefined
  const byOther = useRows(api.payments.list, [{ ...otherQuery, limit: pageSize }], { enabled: isOther })
  return isOther ? { query: otherQuery, read: byOther } : { query: idQuery, read: byName }
}

function usePaymentFilters(): Filter[] {
  const t = useTexts()
  const statuses = useStatusChoices(['pending', 'processing', 'completed', 'failed'])
  return [
    { name: 'q', label: t.search, hint: t.searchHint },
    { name: 'status', label: t.status, choices: statuses },
    { name: 'provider', label: t.provider, choices: useProviderChoices() },
    { name: 'phoneNumber', label: t.phone, type: 'tel', hint: usePhoneExample() },
    { name: 'amount', label: t.amount, type: 'amount' },
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ]
}
