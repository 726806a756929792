import { Link } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { ProviderName, useProviderChoices } from '../../parts/providers.tsx'
import { useStatusChoices } from '../../parts/status.tsx'
import { countries } from '../../text/countries.ts'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { PayoutStatus, payeeOf } from './payout-status.tsx'
import { texts } from './texts.ts'

export default function Payouts() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const may = usePermissions()
  const statuses = useStatusChoices(['pending', 'processing', 'completed', 'failed'])
  const example = countries[useCurrentSpace().space.country]?.example ?? ''
  return (
    <ListPage
      title={w.payouts}
      of={api.payouts.list}
      file="payouts.csv"
      empty={t.empty}
      filters={[
        { name: 'q', label: w.search, hint: t.searchHint },
        { name: 'status', label: w.status, choices: statuses },
        { name: 'provider', label: w.provider, choices: useProviderChoices() },
        { name: 'phoneNumber', label: w.phone, type: 'tel', hint: example },
        { name: 'amount', label: w.amount, type: 'amount' },
        { name: 'batchId', label: t.batch, hint: 'pyb-…' },
        { name: 'from', label: w.from, type: 'date' },
        { name: 'to', label: w.to, type: 'date' },
      ]}
      linkOf={({ id }) => `/payouts/${id}`}
      columns={[
        { label: w.payee, cell: (payout) => <span class="number-text">{payeeOf(payout)}</span> },
        { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: w.status, cell: (payout) => <PayoutStatus of={payout} /> },
        {
          label: w.provider,
          cell: ({ destination }) => <ProviderName id={destination.providerId} />,
          isExtra: true,
        },
        { label: w.time, cell: ({ createTime }) => <Time at={createTime} />, isExtra: true },
      ]}
    >
      {may('payouts:write') && (
        <Link class="button main" href="/payouts/new">
          {t.create}
        </Link>
      )}
    </ListPage>
  )
}
