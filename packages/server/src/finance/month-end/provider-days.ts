import type { Static } from 'typebox'
import type { ReconciledState } from '../reconciliation/reconciled.ts'
import { datesOf, type Month } from './months.ts'
import type { monthEnd } from './shapes.ts'
import { leastAdvanced } from './states.ts'

/** A day of a provider. `isStated` is true if statements cover it completely. */
export type DayOfProvider = {
  providerId: string
  date: string
  state: ReconciledState
  isStated: boolean
  hasEnded: boolean
}

type ProviderDay = { providerId: string; date: string }

/** Returns a name for a day of a provider, to look it up by. */
export const nameOf = ({ providerId, date }: ProviderDay) => `${providerId} ${date}`
export const namesOf = (days: ProviderDay[]) => new Set(days.map(nameOf))

/** Returns the days of the month and, for each provider, the days that still need something. */
export function presentDays(
  month: Month,
  days: DayOfProvider[],
): Pick<Static<typeof monthEnd>, 'days' | 'providers'> {
  const byDate = Map.groupBy(days, ({ date }) => date)
  const byProvider = Map.groupBy(days, ({ providerId }) => providerId)
  return {
    days: datesOf(month).map((date) => {
      const some = byDate.get(date) ?? []
      const state = leastAdvanced(some.map((day) => day.state)) ?? 'none'
      return {
        date,
        state,
        providers: some.filter((day) => day.state === state).map(({ providerId }) => providerId),
      }
    }),
    providers: [...byProvider].toSorted().map(([provider, some]) => {
      const ended = some.filter(({ hasEnded }) => hasEnded)
      const datesWhere = (applies: (day: DayOfProvider) => boolean) =>
        ended
          .filter(applies)
          .map(({ date }) => date)
          .toSorted()
      return {
        provider,
        endedDays: ended.length,
        closedDays: ended.filter(({ state }) => state === 'closed').length,
        missing: datesWhere(({ state, isStated }) => !isStated && state !== 'closed'),
        matched: datesWhere(({ state }) => state === 'matched'),
      }
    }),
  }
}
