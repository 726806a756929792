import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { choicesOf } from '../../parts/country.ts'
import { DayChart } from '../../parts/day-chart.tsx'
import { ExportButton } from '../../parts/download.tsx'
import { optionsOf } from '../../parts/field.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Money, useMoney, useShortMoney } from '../../text/format.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { useTexts } from './texts.ts'

const shownDays = 30
const dayMs = 86_400_000

type Day = ResultOf<typeof api.overview.days>['days'][number]

/**
 * The figures shown for each day, including today. Each figure has the page that lists its payments, payouts or refunds, and the
 * style of its line in the chart.
 */
export const kinds = [
  { kind: 'collected', page: '/payments', color: '--accent' },
  { kind: 'paidOut', page: '/payouts', color: '--ink', dash: [8, 4] },
  { kind: 'refunded', page: '/refunds', color: '--bad', dash: [2, 3] },
] as const

/** Shows daily figures in one currency, as a chart and as a table. */
export function Days({ today }: { today: string }) {
  const t = useTexts()
  const [chosen, setChosen] = useState<string>()
  const query = { days: shownDays }
  const { data } = useRead(api.overview.days, [query])
  const currencies = [...new Set(data?.days.map((day) => day.currency))]
  const currency = chosen ?? currencies[0]
  if (!data || !currency) return null
  const days = data.days.filter((day) => day.currency === currency)
  return (
    <Section title={t.days} more={<ExportButton name="days.csv" of={api.overview.days} args={[query]} />}>
      {currencies.length > 1 && (
        <select
          aria-label={t.currency}
          value={currency}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {optionsOf(choicesOf(currencies))}
        </select>
      )}
      <DaysChart days={days} currency={currency} today={today} />
      <details>
        <summary>{t.dayFigures}</summary>
        <DaysTable days={days} />
      </details>
    </Section>
  )
}

function DaysChart({ days, currency, today }: { days: Day[]; currency: string; today: string }) {
  const t = useTexts()
  const money = useMoney()
  const short = useShortMoney()
  const { language } = useLanguage()
  const byDate = new Map(days.map((day) => [day.date, day]))
  const dates = datesUpTo(today)
  return (
    <DayChart
      label={t.daysOf(currency)}
      dateLabel={t.date}
      language={language}
      dates={dates}
      // Converting to a double loses precision, but this is not visible in a chart.
      lines={kinds.map(({ kind, page: _, ...line }) => ({
        ...line,
        label: t.moved[kind],
        values: dates.map((date) => Number(byDate.get(date)?.[kind].amount.value ?? 0)),
      }))}
      inFull={(value) => money({ currency, value })}
      inShort={(value) => short({ currency, value })}
    />
  )
}

/**
 * The figures of the chart as a table for screen readers, with the latest day first. Each figure links to the
 * matching list.
 */
function DaysTable({ days }: { days: Day[] }) {
  const t = useTexts()
  return (
    <Table
      label={t.dayFigures}
      rows={[...days].sort((a, b) => (a.date < b.date ? 1 : -1))}
      keyOf={({ date }) => date}
      columns={[
        { label: t.date, cell: ({ date }) => date },
        ...kinds.map(({ kind, page }) => ({
          label: t.moved[kind],
          isNumber: true,
          cell: (day: Day) => (
            <PageLink to={`${page}?status=completed&from=${day.date}&to=${dayAfter(day.date)}`}>
              <Money of={day[kind].amount} />
            </PageLink>
          ),
        })),
      ]}
    />
  )
}

const dayAfter = (date: string) => dateAt(Date.parse(date) + dayMs)
const dateAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const datesUpTo = (today: string) =>
  Array.from({ length: shownDays }, (_, i) => dateAt(Date.parse(today) - (shownDays - 1 - i) * dayMs))
