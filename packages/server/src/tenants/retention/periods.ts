import type { Reader } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import { type RetentionClass, retentionClasses } from './classes.ts'
import { selectPeriods } from './period-store.ts'
import { boundsOf, type RetentionSettings } from './settings.ts'

export type RetentionPeriod = {
  class: RetentionClass
  /** The period that applies, in days, counted from the creation of an object. */
  days: number
  standardDays: number
  minimumDays: number
  maximumDays: number
}

/**
 * Returns the periods of a Space. If the operator has changed the bounds, a period chosen earlier is moved to the
 * nearest bound.
 */
export async function findPeriods(
  db: Reader,
  settings: RetentionSettings,
  scope: Scope,
): Promise<RetentionPeriod[]> {
  const chosen = await selectPeriods(db, scope)
  return retentionClasses.map((name) => {
    const { minDays, standardDays, maxDays } = boundsOf(settings, name)
    const days = Math.min(maxDays, Math.max(minDays, chosen.get(name) ?? standardDays))
    return { class: name, days, standardDays, minimumDays: minDays, maximumDays: maxDays }
  })
}

const dayMs = 86_400_000

export const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * dayMs)
