import type { Tx } from '../../platform/db/database.ts'
import type { Call, WellFormed } from '../../platform/http/commands/route.ts'
import { Issues } from '../../platform/refusals.ts'
import { writeAuditEntry } from '../spaces/audit.ts'
import { deciderOf } from '../spaces/deciders.ts'
import { lockSettings } from '../spaces/store.ts'
import type { RetentionClass } from './classes.ts'
import { deletePeriod, upsertPeriod } from './period-store.ts'
import { findPeriods } from './periods.ts'
import { boundsOf, type RetentionSettings } from './settings.ts'

export type PeriodsChange = {
  periods: { class: RetentionClass; days: number | null }[]
  reason?: string | undefined
}

/** Adds an issue for each period that is listed twice, or that the operator does not permit. */
export function validatePeriods(
  settings: RetentionSettings,
  { periods = [] }: WellFormed<PeriodsChange>,
  issues: Issues,
): void {
  for (const [i, period] of periods.entries()) {
    if (period?.class === undefined) continue
    if (periods.findIndex((one) => one?.class === period.class) !== i)
      issues.add(`periods[${i}].class`, 'is listed twice')
    const { minDays, maxDays } = boundsOf(settings, period.class)
    const { days } = period
    if (typeof days === 'number' && (days < minDays || days > maxDays))
      issues.add(`periods[${i}].days`, `must be from ${minDays} to ${maxDays}`)
  }
}

/** Changes the retention periods of a Space. The audit entry contains them before and after the change. */
export async function changePeriods(
  tx: Tx,
  settings: RetentionSettings,
  call: Pick<Call, 'scope' | 'userId' | 'operator'>,
  change: PeriodsChange,
): Promise<void> {
  const issues = new Issues()
  validatePeriods(settings, change, issues)
  issues.refuse()
  const { scope } = call
  await lockSettings(tx, scope.spaceId)
  const daysByClass = async () =>
    Object.fromEntries((await findPeriods(tx, settings, scope)).map((period) => [period.class, period.days]))
  const before = await daysByClass()
  for (const { class: of, days } of change.periods)
    await (days === null ? deletePeriod(tx, scope, of) : upsertPeriod(tx, scope, of, days))
  await writeAuditEntry(tx, scope, await deciderOf(tx, call, change.reason ?? 'changed'), {
    action: 'space.set-retention',
    objectType: 'space',
    objectId: scope.spaceId,
    details: { before, after: await daysByClass() },
  })
}
