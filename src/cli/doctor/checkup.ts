import { messageOf } from '../../platform/errors.ts'
import { Refusal } from '../../platform/refusals.ts'

/** What a check found: how it is, and what to do where it is not as it should be. */
export type HealthFinding = { status: FindingStatus; says: string; todo?: string | undefined }
export type FindingStatus = 'ok' | 'warning' | 'problem' | 'skipped'

/** One thing to look at. It changes nothing. */
export type HealthCheck = { name: string; run(): Promise<HealthFinding> }
export type CheckedHealth = { check: string; status: FindingStatus; says: string; todo: string | null }

export const ok = (says: string): HealthFinding => ({ status: 'ok', says })
export const warning = (says: string, todo?: string): HealthFinding => ({ status: 'warning', says, todo })
export const problem = (says: string, todo?: string): HealthFinding => ({ status: 'problem', says, todo })

/** Thrown by a check that cannot be made, because of something that another check reports. */
export class CannotCheck extends Error {}

const checkLimitMs = 10_000 // limit: time for one check of `pesewa doctor`

/** All at once, each for itself: one that hangs or fails says so, and keeps none of the others. */
export const runChecks = (checks: HealthCheck[], limitMs = checkLimitMs): Promise<CheckedHealth[]> =>
  Promise.all(
    checks.map(async ({ name, run }) => {
      const { status, says, todo = null } = await inTime(run, limitMs)
      return { check: name, status, says, todo: todo ?? null }
    }),
  )

async function inTime(run: HealthCheck['run'], limitMs: number): Promise<HealthFinding> {
  const overdue = Promise.withResolvers<HealthFinding>()
  const seconds = limitMs / 1_000
  const timer = setTimeout(
    () =>
      overdue.resolve(problem(`no answer within ${seconds} s`, 'See whether what it asks is overloaded.')),
    limitMs,
  )
  try {
    return await Promise.race([run(), overdue.promise])
  } catch (error) {
    if (error instanceof CannotCheck) return { status: 'skipped', says: error.message }
    return problem(`could not be checked: ${reasonOf(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** The first line of what went wrong: the rest is for whoever mends the program. */
const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : (messageOf(error).split('\n', 1)[0] ?? '')
