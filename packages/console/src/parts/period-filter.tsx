import { X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { useDayFormat } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'
import { Boundary, lazyComponent } from './code-loading.tsx'
import { useSetParams } from './filter-values.ts'
import { periodNames } from './periods.ts'
import { Popover } from './popover.tsx'

const useTexts = createTexts(
  {
    period: 'Period',
    any: 'Any time',
    today: 'Today',
    '7d': 'Last 7 days',
    lastWeek: 'Last week',
    '30d': 'Last 30 days',
    month: 'This month',
    lastMonth: 'Last month',
    custom: 'Custom…',
    chooseDays: 'Choose days',
    since: (day: string) => `Since ${day}`,
    until: (day: string) => `Until ${day}`,
    remove: 'Remove the period',
  },
  {
    period: 'Période',
    any: 'Toutes les dates',
    today: 'Aujourd’hui',
    '7d': '7 derniers jours',
    lastWeek: 'La semaine dernière',
    '30d': '30 derniers jours',
    month: 'Ce mois-ci',
    lastMonth: 'Le mois dernier',
    custom: 'Personnalisée…',
    chooseDays: 'Choisir les jours',
    since: (day: string) => `Depuis le ${day}`,
    until: (day: string) => `Jusqu’au ${day}`,
    remove: 'Retirer la période',
  },
)

const loadRange = () => import('./date-range.tsx')

/** A menu of periods. The last entry opens a calendar to choose the first and the last day. */
export function PeriodFilter() {
  const t = useTexts()
  const [search] = useSearchParams()
  const setParams = useSetParams()
  const [isChoosing, setChoosing] = useState(false)
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? '']
  const period = from || to || isChoosing ? 'custom' : (search.get('period') ?? '')
  const choose = (value: string) => {
    setChoosing(value === 'custom')
    if (value !== 'custom') setParams({ period: value, from: undefined, to: undefined })
  }
  return (
    <>
      <span class={period ? 'chip set' : 'chip'}>
        <select
          aria-label={t.period}
          value={period}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">{t.any}</option>
          {periodNames.map((name) => (
            <option value={name} key={name}>
              {t[name]}
            </option>
          ))}
          <option value="custom">{t.custom}</option>
        </select>
        {period && (
          <button type="button" class="remove" aria-label={t.remove} onClick={() => choose('')}>
            <X size={16} />
          </button>
        )}
      </span>
      {period === 'custom' && (
        <Range {...{ from, to }} isOpen={isChoosing} onChosen={() => setChoosing(false)} />
      )}
    </>
  )
}

type RangeProps = { from: string; to: string; isOpen: boolean; onChosen(): void }

function Range({ from, to, isOpen, onChosen }: RangeProps) {
  const t = useTexts()
  const setParams = useSetParams()
  const show = useDayFormat()
  const DateRange = lazyComponent(loadRange, <span class="skeleton calendar" />)
  const words =
    from && to
      ? `${show(from)} – ${show(to)}`
      : from
        ? t.since(show(from))
        : to
          ? t.until(show(to))
          : t.chooseDays
  return (
    <span class={from || to ? 'chip set' : 'chip'}>
      <Popover label={words} class="range" isOpen={isOpen}>
        {(close) => (
          <Boundary>
            <DateRange
              from={from}
              to={to}
              onChoose={(first, last) => {
                setParams({ period: undefined, from: first, to: last })
                onChosen()
                close()
              }}
            />
          </Boundary>
        )}
      </Popover>
    </span>
  )
}
