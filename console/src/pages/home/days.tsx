import { useState } from 'preact/hooks'
import { download } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useHere } from '../../api/scope.tsx'
import { DownloadButton } from '../../parts/download.tsx'
import { Section } from '../../parts/section.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { texts } from './texts.ts'

const shownDays = 30
const dayMs = 86_400_000
const [width, height, gap] = [300, 80, 2]

/** What was collected on each of the last days, of one currency. */
export function Days({ today }: { today: string }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { scope } = useHere()
  const money = useMoney()
  const [chosen, setChosen] = useState<string>()
  const query = { days: shownDays }
  const { data } = useRead('GET /v1/overview/days', { query })
  const currencies = [...new Set(data?.days.map((day) => day.currency))]
  const currency = chosen ?? currencies[0]
  if (!data || !currency) return null
  const days = daysUpTo(today).map((date) => ({
    date,
    collected: data.days.find((day) => day.date === date && day.currency === currency)?.collected.amount ?? {
      currency,
      value: 0,
    },
  }))
  return (
    <Section
      title={t.days}
      more={
        <DownloadButton
          name="days.csv"
          get={() => download('GET /v1/overview/days', { query }, 'text/csv', { scope })}
        />
      }
    >
      {currencies.length > 1 && (
        <select
          aria-label={w.currency}
          value={currency}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {currencies.map((each) => (
            <option value={each} key={each}>
              {each}
            </option>
          ))}
        </select>
      )}
      <Bars
        label={t.daysOf(currency)}
        days={days.map(({ date, collected }) => ({
          date,
          value: Number(collected.value),
          words: money(collected),
        }))}
      />
    </Section>
  )
}

type Bar = { date: string; value: number; words: string }

/** Its exact figures are in the file beside it; each bar says its own when it is pointed at. */
function Bars({ label, days }: { label: string; days: Bar[] }) {
  const most = Math.max(1, ...days.map(({ value }) => value))
  const step = width / days.length
  return (
    <svg
      class="bars card"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map(({ date, value, words }, i) => {
        const tall = value === 0 ? 1 : Math.max(2, (height * value) / most)
        return (
          <rect key={date} x={i * step + gap / 2} y={height - tall} width={step - gap} height={tall} rx={1}>
            <title>{`${date}: ${words}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

const daysUpTo = (today: string) =>
  Array.from({ length: shownDays }, (_, i) =>
    new Date(Date.parse(today) - (shownDays - 1 - i) * dayMs).toISOString().slice(0, 10),
  )
