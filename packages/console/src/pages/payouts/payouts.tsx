import { api } from '../../api/client.ts'
import { usePhoneExample } from '../../parts/country.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { ProviderName, useProviderChoices } from '../../parts/providers.tsx'
import { useStatusChoices } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { PayoutStatus, payeeOf } from './payout-status.tsx'
import { useTexts } from './texts.ts'

export default function Payouts() {
  const t = useTexts()
  const statuses = useStatusChoices(['pending', 'processing', 'completed', 'failed'])
  return (
    <ListPage
      page="/payouts"
      of={api.payouts.list}
      file="payouts"
      empty={t.empty}
      filters={[
        { name: 'q', label: t.search, hint: t.searchHint },
        { name: 'status', label: t.status, choices: statuses },
        { name: 'provider', label: t.provider, choices: useProviderChoices() },
        { name: 'phoneNumber', label: t.phone, type: 'tel', hint: usePhoneExample() },
        { name: 'amount', label: t.amount, type: 'amount' },
        { name: 'batchId', label: t.batch, hint: 'pyb-…' },
      ]}
      counts={api.payouts.counts}
      isDated
      columns={[
        { label: t.payee, cell: (payout) => <span class="number-text">{payeeOf(payout)}</span> },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: t.status, cell: (payout) => <PayoutStatus of={payout} /> },
        {
          label: t.provider,
          cell: ({ destination }) => <ProviderName id={destination.providerId} />,
          isExtra: true,
        },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
      create={t.create}
    />
  )
}
