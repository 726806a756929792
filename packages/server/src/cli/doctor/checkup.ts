import { messageOf } from '@pesewa/values'
import { Refusal } from '../../platform/refusals.ts'

/** The result of a check, and what to do about it if it is not `ok`. */
export type HealthFinding = { status: FindingStatus; says: string; todo?: string | undefined }
export type FindingStatus = 'ok' | 'warning' | 'problem' | 'skipped'

/** A check. It only reads and never changes anything. */
export type HealthCheck = { name: string; run(): Promise<HealthFinding> }
export type CheckedHealth = { check: string; status: FindingStatus; says: string; todo: string | null }

/** The results of all checks. `hangs` is true if a check or a connection has not finished. */
export type Checkup = { checks: CheckedHealth[]; hangs: boolean }

export const ok = (says: string): HealthFinding => ({ status: 'ok', says })
export const warning = (says: string, todo?: string): HealthFinding => ({ status: 'warning', says, todo })
export const problem = (says: string, todo?: string): HealthFinding => ({ status: 'problem', says, todo })

/** Thrown by a check that cannot run because of a problem that another check reports. */
export class CannotCheck extends Error {}

/** Waits for something that a check needs, such as `the database`. Another check reports why it is missing. */
export const need = <T>(promise: Promise<T>, name: string): Promise<T> =>
  promise.catch(() => {
    throw new CannotCheck(`needs ${name}`)
  })

const checkLimitMs = 10_000

/**
 * Runs all checks concurrently. A check that fails or takes too long is reported and does not affect the
 * others.
 */
export const runChecks = (checks: HealthCheck[], limitMs = checkLimitMs): Promise<CheckedHealth[]> =>
  Promise.all(
    checks.map(async ({ name, run }) => {
      const { status, says, todo = null } = await runWithLimit(run, limitMs)
      return { check: name, status, says, todo: todo ?? null }
    }),
  )

async function runWithLimit(run: HealthCheck['run'], limitMs: number): Promise<HealthFinding> {
  const overdue = Promise.withResolvers<HealthFinding>()
  const seconds = limitMs / 1_000
  const timer = setTimeout(
    () =>
      overdue.resolve(
        problem(
          `no answer within ${seconds} s`,
          'Check whether the server that this check contacts is overloaded.',
        ),
      ),
    limitMs,
  )
  try {
    return await Promise.race([run(), overdue.promise])
  } catch (error) {
    if (error instanceof CannotCheck) return { status: 'skipped', says: error.message }
    return problem(`check failed: ${reasonOf(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the first line of an error's message, because the rest is only useful to developers. */
const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : (messageOf(error).split('\n', 1)[0] ?? '')
