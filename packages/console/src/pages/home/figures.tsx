import { useState } from 'preact/hooks'
import { choicesOf } from '../../parts/country.ts'
import { optionsOf } from '../../parts/field.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { Days } from './days.tsx'
import { type Day, isBusy } from './kinds.ts'
import { useDays, useOutcomes, usualDays } from './reads.ts'
import { useTexts } from './texts.ts'
import { Tiles } from './tiles.tsx'

/** Shows today's figures and the chart of recent days, in one currency. A new Space has no chart yet. */
export function Figures({ isNew }: { isNew: boolean }) {
  const t = useTexts()
  const days = useDays(usualDays)
  const outcomes = useOutcomes()
  const [chosen, setChosen] = useState<string>()
  const failed = [days, outcomes].filter(({ error }) => error)
  const retry = () => failed.forEach((read) => void read.refetch())
  if (days.isPending || outcomes.isPending) return <FiguresLoading />
  const currencies = currenciesIn(days.data?.days ?? [])
  const currency = chosen ?? currencies[0]
  const shown = days.data?.days.filter((day) => day.currency === currency) ?? []
  return (
    <>
      <Section
        title={t.today}
        more={
          currencies.length > 1 && (
            <select
              aria-label={t.currency}
              value={currency}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            >
              {optionsOf(choicesOf(currencies))}
            </select>
          )
        }
      >
        <ErrorNotice error={failed[0]?.error ?? null} onRetry={retry} />
        {days.data?.isWhole === false && <p class="notice">{t.isBeingSummed}</p>}
        <Tiles days={shown} outcomes={outcomes.data?.days ?? []} />
      </Section>
      {currency && (!isNew || shown.some(isBusy)) && <Days days={shown} currency={currency} />}
    </>
  )
}

/** Returns the currencies of these days, the one with the most payments first. */
function currenciesIn(days: Day[]): string[] {
  const counts = new Map<string, number>()
  for (const { currency, collected } of days)
    counts.set(currency, (counts.get(currency) ?? 0) + collected.count)
  return [...counts].sort(([, one], [, other]) => other - one).map(([currency]) => currency)
}

/** Takes up as much space as the tiles and the chart. */
function FiguresLoading() {
  const t = useTexts()
  return (
    <>
      <Section title={t.today}>
        <ul class="tiles" aria-hidden="true">
          {['collected', 'paidOut', 'refunded', 'rate'].map((tile) => (
            <li class="card tile skeleton" key={tile}>
              <i />
              <i />
              <i />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t.days}>
        <div class="card bars">
          <Loading />
        </div>
      </Section>
    </>
  )
}
