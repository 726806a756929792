import { Link, useSearchParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { ExportButton } from '../../parts/download.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Money, useDayFormat } from '../../text/format.tsx'
import { Bars } from './bars.tsx'
import { type Day, kinds } from './kinds.ts'
import { useTexts } from './texts.ts'

const periods = [7, 30, 90]
const usualPeriod = 30

/** Shows daily totals in one currency, as a chart and as a table. Days are latest first. */
export function Days({ days }: { days: Day[] }) {
  const t = useTexts()
  const [search] = useSearchParams()
  const period = periods.find((each) => String(each) === search.get('days')) ?? usualPeriod
  const shown = days.slice(0, period)
  const isBusy = (day: Day) => kinds.some(({ kind }) => day[kind].count > 0)
  const busy = shown.filter(isBusy)
  if (!days.some(isBusy)) return null
  return (
    <Section
      title={t.days}
      more={
        <>
          <nav class="states" aria-label={t.period}>
            {periods.map((each) => (
              <Link
                key={each}
                href={each === usualPeriod ? '/' : `/?days=${each}`}
                aria-current={each === period ? 'true' : undefined}
              >
                {t.periodOf(each)}
              </Link>
            ))}
          </nav>
          <ExportButton name="days.csv" of={api.overview.days} args={[{ days: period }]} />
        </>
      }
    >
      <Bars days={[...shown].reverse()} />
      {busy.length > 0 && (
        <details>
          <summary>{t.dayFigures}</summary>
          <DaysTable days={busy} />
        </details>
      )}
    </Section>
  )
}

/** The figures of the chart as a table. Each figure links to the matching list. */
function DaysTable({ days }: { days: Day[] }) {
  const t = useTexts()
  const dayText = useDayFormat()
  return (
    <Table
      label={t.dayFigures}
      rows={days}
      keyOf={({ date }) => date}
      columns={[
        { label: t.date, cell: ({ date }) => dayText(date) },
        ...kinds.map(({ kind, page }) => ({
          label: t.moved[kind],
          isNumber: true,
          cell: (day: Day) => (
            <PageLink to={`${page}?status=completed&from=${day.date}&to=${day.date}`}>
              <Money of={day[kind].amount} />
            </PageLink>
          ),
        })),
      ]}
    />
  )
}
