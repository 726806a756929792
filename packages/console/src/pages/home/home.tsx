import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { useSteps } from '../go-live/steps.ts'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { Balances } from './balances.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { NotReady } from './not-ready.tsx'
import { Providers } from './providers.tsx'
import { useTexts } from './texts.ts'
import './home.css'

const shownPayments = 5

/** The home page: items that need attention, today's figures, recent days, success by provider, and balances. */
export default function Home() {
  const t = useTexts()
  const { space, scope } = useCurrentSpace()
  const may = usePermissions()
  const mayPayments = may('payments:read')
  const { more: _, ...payments } = useRows(api.payments.list, [{ limit: shownPayments }], {
    enabled: mayPayments,
  })
  const isNew = mayPayments && !payments.isLoading && !payments.error && payments.rows.length === 0
  const isLive = scope.environment === 'live'
  // The steps are read only for a Space without payments, so that home stays fast for all others.
  const { steps } = useSteps(isLive && isNew && may('settings:read'))
  const isReady = steps?.find(({ name }) => name === 'provider')?.isDone
  return (
    <>
      <PageHead title={space.name} />
      {steps && <NotReady steps={steps} />}
      <NeedsAttention isQuiet={isLive && (isNew ? !isReady : payments.isLoading)} />
      {isNew && (!isLive || isReady) && <FirstSteps />}
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
