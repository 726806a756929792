import { useState } from 'preact/hooks'
import { type Amount, Money, useDayFormat, useLocale, useShortMoney } from '../../text/format.tsx'
import { type Day, kinds, lengthOf } from './kinds.ts'
import { useTexts } from './texts.ts'

const height = 220
/** Space for the dates below the chart, and for half a line of text above it. */
const [below, above] = [24, 8]
/** Approximate number of intervals on the vertical axis. */
const intervals = 4
/** Maximum number of dates below the chart, so that they fit on a phone. Weekdays are shorter. */
const maxDates = 5
const maxWeekdays = 7

/**
 * A chart with one bar per day, which points up for money in and down for money out. Screen readers announce only
 * its label, so the page also shows the figures as a table. Days are oldest first.
 */
export function Bars({ days }: { days: Day[] }) {
  const t = useTexts()
  const [pointed, setPointed] = useState<number>()
  const currency = days[0]?.currency ?? ''
  const shown = pointed === undefined ? days : days.slice(pointed, pointed + 1)
  const point = ({ currentTarget, clientX }: PointerEvent & { currentTarget: Element }) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(Math.max(0, Math.min(days.length - 1, Math.floor(((clientX - left) / width) * days.length))))
  }
  return (
    <div class="card bars">
      <Legend days={shown} period={days.length} />
      <div class="plot">
        <Scale days={days} currency={currency} />
        <svg
          role="img"
          aria-label={t.daysOf(days.length, currency)}
          height={height}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          <Columns days={days} pointed={pointed} />
        </svg>
      </div>
    </div>
  )
}

/** Explains the colors, and shows the totals of the period or of the day under the pointer. */
function Legend({ days, period }: { days: Day[]; period: number }) {
  const t = useTexts()
  const dayText = useDayFormat()
  const [day] = days
  return (
    <dl class="legend">
      <div>
        <dt class="muted">{t.period}</dt>
        <dd>{days.length === 1 && day ? dayText(day.date) : t.periodOf(period)}</dd>
      </div>
      {kinds.map(({ kind }) => (
        <div key={kind}>
          <dt class={kind}>{t.moved[kind]}</dt>
          <dd>
            <Money of={totalOf(days.map((each) => each[kind].amount))} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const totalOf = (amounts: Amount[]): Amount => ({
  currency: amounts[0]?.currency ?? '',
  value: amounts.reduce((sum, { value }) => sum + BigInt(value), 0n),
})

/** Labels the lines of the vertical axis. */
function Scale({ days, currency }: { days: Day[]; currency: string }) {
  const short = useShortMoney()
  const { ticks, yOf } = axisOf(days)
  return (
    <svg class="scale" aria-hidden="true" height={height}>
      {ticks.map((tick) => (
        <text key={tick} x="100%" y={yOf(tick)} text-anchor="end" dominant-baseline="middle">
          {short({ currency, value: Math.abs(tick) })}
        </text>
      ))}
    </svg>
  )
}

function Columns({ days, pointed }: { days: Day[]; pointed: number | undefined }) {
  const locale = useLocale()
  const { ticks, yOf } = axisOf(days)
  const slot = 100 / days.length
  const step = days.length > maxWeekdays ? Math.ceil(days.length / maxDates) : 1
  const isDated = (i: number) => (days.length - 1 - i) % step === Math.floor(step / 2)
  const { format } = new Intl.DateTimeFormat(locale, {
    ...(step === 1 ? { weekday: 'short' } : { day: 'numeric', month: 'short' }),
    // Dates are the Space's local dates, so they must not be shifted to the reader's time zone.
    timeZone: 'UTC',
  })
  return (
    <>
      {ticks.map((tick) => (
        <line key={tick} class={tick === 0 ? 'zero' : ''} x2="100%" y1={yOf(tick)} y2={yOf(tick)} />
      ))}
      {pointed !== undefined && (
        <rect class="pointed" x={`${pointed * slot}%`} width={`${slot}%`} height={height - below} />
      )}
      {days.map((day, i) => {
        const out = lengthOf(day, 'paidOut')
        const bar = (from: number, to: number, kind: string) => (
          <rect
            class={`column ${kind}`}
            x={`${(i + 0.15) * slot}%`}
            width={`${0.7 * slot}%`}
            y={yOf(Math.max(from, to))}
            height={Math.abs(yOf(from) - yOf(to))}
          />
        )
        return (
          <g key={day.date}>
            {bar(0, lengthOf(day, 'collected'), 'collected')}
            {bar(0, -out, 'paidOut')}
            {bar(-Math.max(0, out), -Math.max(0, out) - lengthOf(day, 'refunded'), 'refunded')}
            {isDated(i) && (
              <text x={`${(i + 0.5) * slot}%`} y={height - 4} text-anchor="middle">
                {format(Date.parse(day.date))}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

/** Returns the values that get a line, and a function that converts a value to a vertical position in pixels. */
function axisOf(days: Day[]): { ticks: number[]; yOf(value: number): number } {
  const ups = days.map((day) => Math.max(lengthOf(day, 'collected'), -lengthOf(day, 'paidOut')))
  const downs = days.map((day) => Math.max(0, lengthOf(day, 'paidOut')) + lengthOf(day, 'refunded'))
  const [up, down] = [Math.max(0, ...ups), Math.max(0, ...downs)]
  if (up + down === 0) return { ticks: [0], yOf: () => height - below }
  const step = roundStep((up + down) / intervals)
  const [most, least] = [Math.ceil(up / step), -Math.ceil(down / step)]
  const span = (most - least) * step
  return {
    ticks: Array.from({ length: most - least + 1 }, (_, i) => (least + i) * step),
    yOf: (value) => above + ((most * step - value) / span) * (height - above - below),
  }
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return power * ([1, 2, 5].find((each) => each * power >= step) ?? 10)
}
