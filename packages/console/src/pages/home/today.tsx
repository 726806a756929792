import type { api, ResultOf } from '../../api/client.ts'
import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Table } from '../../parts/table.tsx'
import { Money } from '../../text/format.tsx'
import { kinds } from './days.tsx'
import { useTexts } from './texts.ts'

export type Overview = ResultOf<typeof api.overview.retrieve>

/** Shows today's totals, each with a link to the matching list. */
export function Today({ overview: { date, today, isWhole } }: { overview: Overview }) {
  const t = useTexts()
  if (today.length === 0) return null
  return (
    <Section title={t.today}>
      {!isWhole && <p class="notice">{t.isBeingSummed}</p>}
      {today.map((sums) => (
        <ul class="cards" key={sums.currency}>
          {kinds.map(({ kind, page }) => (
            <li class="card" key={kind}>
              <PageLink to={`${page}?status=completed&from=${date}`}>{t[kind](sums[kind].count)}</PageLink>
              <p class="figure">
                <Money of={sums[kind].amount} />
              </p>
            </li>
          ))}
        </ul>
      ))}
    </Section>
  )
}

/** Shows the success rate of each provider over the last 24 hours. */
export function SuccessRates({ overview: { providers } }: { overview: Overview }) {
  const t = useTexts()
  if (providers.length === 0) return null
  return (
    <Section title={t.outcomes}>
      <Table
        rows={providers}
        keyOf={({ provider }) => provider}
        linkOf={({ provider }) => `/payments?provider=${encodeURIComponent(provider)}`}
        columns={[
          { label: t.provider, cell: ({ provider }) => <ProviderName id={provider} /> },
          {
            label: t.rate,
            isNumber: true,
            cell: ({ completed, failed }) => (completed + failed === 0 ? '–' : t.rateOf(completed, failed)),
          },
          { label: t.completed, isNumber: true, isExtra: true, cell: ({ completed }) => completed },
          { label: t.failed, isNumber: true, isExtra: true, cell: ({ failed }) => failed },
          { label: t.underWay, isNumber: true, isExtra: true, cell: ({ underWay }) => underWay },
        ]}
      />
    </Section>
  )
}
