import { api } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { Balances } from './balances.tsx'
import { Days } from './days.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { useTexts } from './texts.ts'
import { SuccessRates, Today } from './today.tsx'

const shownPayments = 5

/** The home page, with today's totals, the last 30 days, success rates and items that need attention. */
export default function Home() {
  const t = useTexts()
  const { space } = useCurrentSpace()
  const may = usePermissions()
  return (
    <>
      <PageHead title={space.name} />
      {may('balances:read') && <Figures />}
      <NeedsAttention />
      {may('financial-accounts:read') && may('balances:read') && <Balances />}
      {may('payments:read') && <LatestPayments title={t.latest} />}
    </>
  )
}

const pollMs = 15_000

/** Shows totals and success rates. They are polled, because no event is published when they change. */
function Figures() {
  const { data, error } = useRead(api.overview.retrieve, [], { everyMs: pollMs })
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  return (
    <>
      <Today overview={data} />
      <Days today={data.date} />
      <SuccessRates overview={data} />
    </>
  )
}

/** Shows the latest payments or, if there are none yet, the first steps. */
function LatestPayments({ title }: { title: string }) {
  const _t = useTexts()
  const { more: _, ...read } = useRows(api.payments.list, [{ limit: shownPayments }])
  if (!read.isLoading && !read.error && read.rows.length === 0) return <FirstSteps />
  return (
    <Section title={title} more={<MoreLink to="/payments" />}>
      <PaymentsTable read={{ ...read, more: undefined }} />
    </Section>
  )
}
