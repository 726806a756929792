import { Link, useSearchParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { ExportButton, nameOfToday } from '../../parts/download.tsx'
import { PageLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Money, useDayFormat } from '../../text/format.tsx'
import { Bars } from './bars.tsx'
import { type Day, isBusy, kinds } from './kinds.ts'
import { useDays, usualDays } from './reads.ts'
import { useTexts } from './texts.ts'

const periods = [7, usualDays, 90]

/** Shows daily totals in one currency, as a chart and as a table. `days` are the usual days, latest first. */
export function Days({ days, currency }: { days: Day[]; currency: string }) {
  const t = useTexts()
  const [search] = useSearchParams()
  const period = periods.find((each) => String(each) === search.get('days')) ?? usualDays
  const isLonger = period > usualDays
  const longer = useDays(period, isLonger)
  const all = isLonger ? longer.data?.days.filter((day) => day.currency === currency) : days
  const shown = all?.slice(0, period) ?? []
  const busy = shown.filter(isBusy)
  return (
    <Section
      title={t.days}
      more={
        <>
          <nav class="states" aria-label={t.period}>
            {periods.map((each) => (
              <Link
                key={each}
                href={each === usualDays ? '/' : `/?days=${each}`}
                aria-current={each === period ? 'true' : undefined}
              >
                {t.periodOf(each)}
              </Link>
            ))}
          </nav>
          <ExportButton name={nameOfToday('days')} of={api.overview.days} args={[{ days: period }]} />
        </>
      }
    >
      {isLonger && <ErrorNotice error={longer.error} onRetry={() => void longer.refetch()} />}
      {isLonger && longer.isPending && (
        <div class="card bars">
          <Loading />
        </div>
      )}
      {shown.length > 0 && <Bars days={[...shown].reverse()} />}
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
