import type { Static } from 'typebox'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import type { Database } from '../../platform/db/database.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { providerLocale } from '../reconciliation/days.ts'
import { type Covered, selectCovered } from '../reconciliation/own-line-store.ts'
import {
  selectOpenByDay,
  selectProviderDates,
  selectProviderIds,
  selectUnseenFrom,
  type ZonedProvider,
} from '../reconciliation/provider-day-store.ts'
import { allowLongReport } from '../reconciliation/report.ts'
import { datesOf, type Month, readMonth, refuseArchivedMonth } from './months.ts'
import { presentBank, presentSignatures } from './presented.ts'
import { type DayOfProvider, nameOf, namesOf, presentDays } from './provider-days.ts'
import type { monthEnd } from './shapes.ts'
import { selectDaySignatures, selectOwed, selectSettled } from './store.ts'

type Parts = { db: Database; catalogue: Catalogue }
type Query = { environment: Environment; month?: string }

/**
 * Returns the open steps in the installation before a month can be closed. Differences are as of the last
 * matching. Days are in the time zone of the provider's country.
 */
export const readInstallationMonth = ({ db, catalogue }: Parts, query: Query, now: Date) =>
  db.snapshot(async (reader): Promise<Static<typeof monthEnd>> => {
    await reader.query(walkPlannerSettings)
    await reader.query(allowLongReport)
    const { environment } = query
    const providers = (await selectProviderIds(reader, environment)).map(({ providerId }) =>
      zonedProvider(catalogue, providerId),
    )
    const dates = await selectProviderDates(reader, environment, providers, now)
    const today =
      dates
        .map((one) => one.today)
        .toSorted()
        .at(-1) ?? now.toISOString().slice(0, 'yyyy-mm-dd'.length)
    const month = await readMonth(query.month, today, async ({ to }) =>
      dates.some(({ first }) => first !== null && first <= to),
    )
    await refuseArchivedMonth(reader, month)
    const covered: Covered[] = []
    for (const timeZone of new Set(providers.map((one) => one.timeZone))) {
      const inZone = new Set(
        providers.filter((one) => one.timeZone === timeZone).map((one) => one.providerId),
      )
      const found = await selectCovered(reader, environment, timeZone, month)
      covered.push(...found.filter(({ providerId }) => inZone.has(providerId)))
    }
    const signed = await selectDaySignatures(reader, environment, month)
    const open = await selectOpenByDay(reader, environment, providers, month)
    const unseen = await selectUnseenFrom(reader, environment, providers)
    const facts: Facts = {
      covered,
      isSigned: namesOf(signed),
      hasDifference: namesOf(open),
      unseenFrom: new Map(unseen.map((one) => [one.providerId, one.unseenFrom])),
    }
    const days = dates.flatMap((one) => daysOf(one, month, facts))
    const isShown = namesOf(days.filter(({ state }) => state === 'differs'))
    return {
      ...{ month: month.name, today, isWhole: true, ...presentDays(month, days) },
      differences: open
        .filter((day) => isShown.has(nameOf(day)))
        .map(({ date, providerId, direction, count, currency, amount }) => ({
          ...{ date, provider: providerId, direction, count },
          ...{ amount: moneyIn(currency)(BigInt(amount)), estimated: false },
        })),
      ...presentBank(
        await selectSettled(reader, { environment }, month),
        await selectOwed(reader, { environment }, month, today),
      ),
      signatures: presentSignatures(signed),
    }
  })

/** Returns a provider with its time zone. A provider that is no longer in the catalogue keeps its days, in UTC. */
function zonedProvider(catalogue: Catalogue, providerId: string): ZonedProvider {
  const provider = catalogue.find(providerId)
  return { providerId, timeZone: provider ? providerLocale(provider).timeZone : 'UTC' }
}

type Facts = {
  covered: Covered[]
  isSigned: Set<string>
  hasDifference: Set<string>
  /** The day of the first booking that reconciliation has not read yet, by provider. */
  unseenFrom: Map<string, string>
}

/** Returns the days of a provider in a month, from its first day to today. */
function daysOf(
  { providerId, first, today }: { providerId: string; first: string | null; today: string },
  month: Month,
  { covered, isSigned, hasDifference, unseenFrom }: Facts,
): DayOfProvider[] {
  if (first === null) return []
  const unread = unseenFrom.get(providerId)
  const own = covered.filter((one) => one.providerId === providerId)
  return datesOf(month)
    .filter((date) => first <= date && date <= today)
    .map((date) => {
      const isStated = own.some(({ from, to }) => from <= date && date <= to)
      const name = nameOf({ providerId, date })
      const state = isSigned.has(name)
        ? 'closed'
        : !isStated || (unread !== undefined && date >= unread)
          ? 'awaited'
          : hasDifference.has(name)
            ? 'differs'
            : 'matched'
      return { providerId, date, state, isStated, hasEnded: date < today }
    })
}
