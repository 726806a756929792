import type { Static } from 'typebox'
import type { ReconciledState } from '../reconciliation/reconciled.ts'
import { datesOf, type Month } from './months.ts'
import type { monthEnd } from './shapes.ts'

/** The states of a provider’s day, the least advanced first. A day of the month has the first that applies. */
const states = ['differs', 'awaited', 'matched', 'closed'] as const satisfies ReconciledState[]
/** `none`: there is nothing to reconcile. */
export const dayStates = [...states, 'none'] as const

/** A day of a provider. `isStated` is true if statements cover it completely. */
export type ProviderDay = {
  providerId: string
  date: string
  state: ReconciledState
  isStated: boolean
  hasEnded: boolean
}

/** Returns the least advanced of these states. */
export const leastAdvanced = (some: readonly ReconciledState[]) =>
  states.find((state) => some.includes(state))

/** Returns the days of the month and, for each provider, the days that still need something. */
export function presentDays(
  month: Month,
  days: ProviderDay[],
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
      const datesWhere = (applies: (day: ProviderDay) => boolean) =>
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
