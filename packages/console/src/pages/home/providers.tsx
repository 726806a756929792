import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Table } from '../../parts/table.tsx'
import { useOverview } from './reads.ts'
import { usePercent, useTexts } from './texts.ts'

/** Shows the success rate of each provider over the last 24 hours, and why most of its failures happened. */
export function Providers() {
  const t = useTexts()
  const percent = usePercent()
  const { data } = useOverview()
  if (!data || data.providers.length === 0) return null
  return (
    <Section title={t.outcomes}>
      <Table
        rows={data.providers}
        keyOf={({ provider }) => provider}
        columns={[
          {
            label: t.provider,
            cell: ({ provider }) => (
              <PageLink to={`/payments?provider=${encodeURIComponent(provider)}`}>
                <ProviderName id={provider} />
              </PageLink>
            ),
          },
          {
            label: t.rate,
            isNumber: true,
            cell: ({ completed, failed }) =>
              completed + failed === 0 ? (
                '–'
              ) : (
                <Rate of={completed / (completed + failed)}>{percent(completed / (completed + failed))}</Rate>
              ),
          },
          { label: t.completed, isNumber: true, isExtra: true, cell: ({ completed }) => completed },
          { label: t.failed, isNumber: true, isExtra: true, cell: ({ failed }) => failed },
          { label: t.underWay, isNumber: true, isExtra: true, cell: ({ underWay }) => underWay },
          {
            label: t.topFailure,
            cell: ({ topFailure }) => (
              <span class="muted">{topFailure === null ? '–' : (t.failures[topFailure] ?? topFailure)}</span>
            ),
          },
        ]}
      />
    </Section>
  )
}

/** A share as a bar, with its text. */
const Rate = ({ of, children }: { of: number; children: string }) => (
  <span class="rate">
    <svg aria-hidden="true">
      <rect width="100%" height="100%" />
      <rect class="part" width={`${100 * of}%`} height="100%" />
    </svg>
    {children}
  </span>
)
