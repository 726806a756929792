import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { Balances } from './balances.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { Providers } from './providers.tsx'
import { useTexts } from './texts.ts'
import './home.css'

const shownPayments = 5

/** The home page: items that need attention, today's figures, recent days, success by provider, and balances. */
export default function Home() {
  const t = useTexts()
  const { space } = useCurrentSpace()
  const may = usePermissions()
  const mayPayments = may('payments:read')
  const { more: _, ...payments } = useRows(api.payments.list, [{ limit: shownPayments }], {
    enabled: mayPayments,
  })
  const isNew = mayPayments && !payments.isLoading && !payments.error && payments.rows.length === 0
  return (
    <>
      <PageHead title={space.name} />
      <NeedsAttention />
      {isNew && <FirstSteps />}
      {may('balances:read') && <Figures isNew={isNew} />}
      <Providers />
      {may('financial-accounts:read') && may('balances:read') && <Balances />}
      {mayPayments && !isNew && (
        <Section title={t.latest} more={<MoreLink to="/payments" />}>
          <PaymentsTable read={{ ...payments, more: undefined }} />
        </Section>
      )}
    </>
  )
}
