import { Check, Clock, Lock, Minus, TriangleAlert } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { useLanguage } from '../../text/languages.tsx'
import type { MonthDay, MonthEnd } from './month-end.ts'
import { useTexts } from './texts.ts'

/** Each state has its own icon, so that states differ by more than their color. */
const icons = { closed: Lock, matched: Check, differs: TriangleAlert, awaited: Clock, none: Minus }
const states = ['closed', 'matched', 'differs', 'awaited'] as const
const weekDays = 7

type Props = { month: MonthEnd; dayPath(day: MonthDay): string }

/** The days of the month with their states. Weeks begin on Monday. */
export function Calendar({ month: { days }, dayPath }: Props) {
  const t = useTexts()
  const { language } = useLanguage()
  const weekDay = (style: 'short' | 'long') =>
    new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' })
  const [short, long] = [weekDay('short'), weekDay('long')]
  // 1 January 2024 was a Monday.
  const names = Array.from({ length: weekDays }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)))
  return (
    <div class="month-days">
      <table aria-label={t.calendar}>
        <thead>
          <tr>
            {names.map((day) => (
              <th scope="col" key={day.getTime()} abbr={long.format(day)}>
                {short.format(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(days).map((week, i) => (
            <tr key={week.find((day) => day)?.date ?? i}>
              {week.map((day, place) => (
                <td key={place}>{day && <Day day={day} path={dayPath(day)} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="legend">
        {states
          .map((state) => ({ state, count: days.filter((day) => day.state === state).length }))
          .filter(({ count }) => count > 0)
          .map(({ state, count }) => (
            <span class={state} key={state}>
              <StateIcon state={state} /> {t.countOf(t.states[state], count)}
            </span>
          ))}
      </p>
    </div>
  )
}

const StateIcon = ({ state }: { state: MonthDay['state'] }) => {
  const Icon = icons[state]
  return <Icon aria-hidden="true" />
}

function Day({ day, path }: { day: MonthDay; path: string }) {
  const t = useTexts()
  const content = (
    <>
      <span class="date">{Number(day.date.slice(-2))}</span> <StateIcon state={day.state} />{' '}
      <span class="state">{t.states[day.state]}</span>
    </>
  )
  if (day.state === 'none') return <span class="day none">{content}</span>
  return (
    <Link class={`day ${day.state}`} href={path}>
      {content}
    </Link>
  )
}

/** Splits the days into weeks from Monday to Sunday. Places before the first and after the last day are empty. */
function weeksOf(days: MonthDay[]): (MonthDay | undefined)[][] {
  const before = (new Date(days[0]?.date ?? 0).getUTCDay() + weekDays - 1) % weekDays
  const weeks = Math.ceil((before + days.length) / weekDays)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: weekDays }, (_, place) => days[week * weekDays + place - before]),
  )
}
