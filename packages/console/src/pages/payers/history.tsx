import { api } from '../../api/client.ts'
import { type Rows, useRead, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { Failure } from '../../parts/failure.tsx'
import { MoreLink, useCanOpen } from '../../parts/links.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { type Amount, Money, Time, useMoney } from '../../text/format.tsx'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { RefundsTable } from '../payments/refunds-table.tsx'
import { useTexts } from './texts.ts'

const pageSize = 25

/** Shows the payments, refunds and payouts that the user may see for a phone number. */
export function History({ phone }: { phone: string }) {
  const t = useTexts()
  const may = usePermissions()
  const query = { phoneNumber: phone, limit: pageSize }
  const payments = useRows(api.payments.list, [query])
  const refunds = useRows(api.refunds.list, [query], { enabled: may('refunds:read') })
  const payouts = useRows(api.payouts.list, [query], { enabled: may('payouts:read') })
  const money = useMoney()
  const sum = (rows: Moved[]) => totalsByCurrency(rows).map(money).join(', ') || t.nothing
  const network = useRead(api.phoneNumbers.retrieve, [phone])
  return (
    <>
      <Facts
        of={[
          [t.paid, sum(payments.rows)],
          [t.refunded, sum(refunds.rows)],
          [t.paidOut, may('payouts:read') && sum(payouts.rows)],
          [t.network, network.data?.providers.map(({ name }) => name).join(', ')],
        ]}
      />
      <p class="muted">{t.ofShown}</p>
      <Section title={t.payments} more={<FullListLink phone={phone} page="/payments" />}>
        <PaymentsTable read={payments} empty={t.noPayments} />
      </Section>
      {may('refunds:read') && (
        <Section title={t.refunds} more={<FullListLink phone={phone} page="/refunds" />}>
          <RefundsTable read={refunds} empty={t.noRefunds} />
        </Section>
      )}
      {may('payouts:read') && (
        <Section title={t.payouts} more={<FullListLink phone={phone} page="/payouts" />}>
          <PayoutsTable read={payouts} empty={t.noPayouts} />
        </Section>
      )}
    </>
  )
}

/** A link to the page with the full list, which can be filtered and exported. */
function FullListLink({ phone, page }: { phone: string; page: string }) {
  return <MoreLink to={`${page}?phoneNumber=${encodeURIComponent(phone)}`} />
}

type Moved = { status: string; amount: Amount }

/** Returns the total amount of completed items in each currency. */
function totalsByCurrency(rows: Moved[]): Amount[] {
  const totals = new Map<string, bigint>()
  for (const { status, amount } of rows)
    if (status === 'completed')
      totals.set(amount.currency, (totals.get(amount.currency) ?? 0n) + BigInt(amount.value))
  return [...totals].map(([currency, value]) => ({ currency, value }))
}

/** A table of the payouts to one phone number. */
function PayoutsTable({ read, empty }: { read: Rows<typeof api.payouts.list>; empty: string }) {
  const w = useTexts()
  const hasPage = useCanOpen()('/payouts/:id')
  return (
    <PagedTable
      label={w.payouts}
      read={read}
      empty={empty}
      linkOf={({ id }) => (hasPage ? `/payouts/${id}` : undefined)}
      columns={[
        { label: w.provider, cell: ({ destination }) => <ProviderName id={destination.providerId} /> },
        { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: w.status, cell: ({ status }) => <Status of={status} /> },
        { label: w.note, cell: ({ failureDetail }) => <Failure of={failureDetail} />, isExtra: true },
        { label: w.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}
