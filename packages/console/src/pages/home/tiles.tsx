import type { ComponentChildren } from 'preact'
import type { api, ResultOf } from '../../api/client.ts'
import { PageLink } from '../../parts/links.tsx'
import { type Amount, Money, useDayFormat, useMoney } from '../../text/format.tsx'
import { type Day, kinds, lengthOf } from './kinds.ts'
import { tileDays } from './reads.ts'
import { Sparkline } from './sparkline.tsx'
import { usePercent, useTexts } from './texts.ts'

type Outcomes = ResultOf<typeof api.overview.outcomes>['days'][number]

type TileProps = {
  /** The page that lists what the figure counts. */
  to: string
  label: string
  figure: ComponentChildren
  /** The number of payments, payouts or refunds. */
  count: string
  /** The difference from yesterday. */
  change: string
  /** Whether the difference is good or bad news, if that can be said. */
  news?: 'good' | 'bad' | undefined
  children: ComponentChildren
}

function Tile({ to, label, figure, count, change, news, children }: TileProps) {
  return (
    <li class="card tile">
      <PageLink to={to}>{label}</PageLink>
      <p class="figure">{figure}</p>
      <p class="muted">{count}</p>
      <p class={`${news ?? 'muted'} change`}>{change}</p>
      {children}
    </li>
  )
}

/** Shows today's figures, how they differ from yesterday's, and the last seven days. Days are latest first. */
export function Tiles({ days, outcomes }: { days: Day[]; outcomes: Outcomes[] }) {
  const t = useTexts()
  const money = useMoney()
  const dayText = useDayFormat()
  const change = useChange()
  const week = days.slice(0, tileDays).reverse()
  const [today, yesterday] = days
  return (
    <ul class="tiles">
      {today &&
        yesterday &&
        kinds.map(({ kind, page }) => (
          <Tile
            key={kind}
            to={`${page}?status=completed&from=${today.date}`}
            label={t.moved[kind]}
            figure={<Money of={today[kind].amount} />}
            count={t.counts[kind](today[kind].count)}
            change={change(today[kind].amount, yesterday[kind].amount)}
            news={kind === 'collected' ? newsOf(today[kind].amount, yesterday[kind].amount) : undefined}
          >
            <Sparkline
              values={week.map((day) => lengthOf(day, kind))}
              label={t.week(week.map((day) => `${dayText(day.date)}: ${money(day[kind].amount)}`))}
            />
          </Tile>
        ))}
      {outcomes[0] && <RateTile today={outcomes[0]} outcomes={outcomes} />}
    </ul>
  )
}

function RateTile({ today, outcomes }: { today: Outcomes; outcomes: Outcomes[] }) {
  const t = useTexts()
  const percent = usePercent()
  const dayText = useDayFormat()
  const rate = rateOf(today)
  const before = outcomes[1] && rateOf(outcomes[1])
  const points = rate !== null && typeof before === 'number' ? Math.round(100 * (rate - before)) : undefined
  const week = [...outcomes].reverse()
  const textOf = (value: number | null) => (value === null ? '–' : percent(value))
  return (
    <Tile
      to={`/payments?status=failed&from=${today.date}`}
      label={t.rate}
      figure={textOf(rate)}
      count={t.rateOf(today.completed, today.completed + today.failed)}
      news={points ? (points > 0 ? 'good' : 'bad') : undefined}
      change={points === undefined ? t.noComparison : points === 0 ? t.same : t.points(points)}
    >
      <Sparkline
        values={week.map(rateOf)}
        top={1}
        label={t.week(week.map((day) => `${dayText(day.date)}: ${textOf(rateOf(day))}`))}
      />
    </Tile>
  )
}

const rateOf = ({ completed, failed }: Outcomes) =>
  completed + failed === 0 ? null : completed / (completed + failed)

/** More than all of yesterday is good news. Less is no news, because today is not over. */
const newsOf = (today: Amount, yesterday: Amount) =>
  BigInt(today.value) > BigInt(yesterday.value) ? 'good' : undefined

/**
 * Returns a function that compares two amounts. Today is not over, so that a smaller amount than yesterday's is not
 * called a decrease.
 */
function useChange(): (today: Amount, yesterday: Amount) => string {
  const t = useTexts()
  const money = useMoney()
  const percent = usePercent({ signDisplay: 'exceptZero', maximumFractionDigits: 0 })
  return (today, yesterday) => {
    const [now, before] = [Number(today.value), Number(yesterday.value)]
    if (now === before) return t.same
    if (before === 0) return t.noneYesterday
    return now > before && before > 0
      ? t.fromYesterday(percent((now - before) / before))
      : t.yesterday(money(yesterday))
  }
}
