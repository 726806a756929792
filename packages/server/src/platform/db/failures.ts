import { codeOf, fieldsOf } from '@pesewa/values'
import { Refusal } from '../refusals.ts'

const awayErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
])
/**
 * Matches the SQLSTATE classes for connection failures, insufficient resources (connections, disk, memory) and
 * operator intervention, and the code of a standby that has not been promoted yet.
 */
const awayStates = /^(08|53|57)|^25006$/

/**
 * If the database is unavailable, full or too slow, converts its error to a 503 refusal, which is safe to
 * retry. Rethrows all other errors. The refusal's `cause` contains the SQLSTATE for the log.
 */
export function refuseIfUnavailable(error: unknown): never {
  if (isDatabaseUnavailable(error))
    throw new Refusal('service_unavailable', { headers: { 'retry-after': '1' }, cause: error })
  throw error
}

/**
 * Returns whether an error from the driver, or the refusal created from it, means that the database is
 * unavailable, full or too slow.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof Refusal) return error.reason === 'service_unavailable'
  const message = error instanceof Error ? error.message : ''
  const code = codeOf(error)
  return (
    awayErrors.has(code) ||
    awayStates.test(code) ||
    /timeout exceeded|Connection terminated|connection error/i.test(message)
  )
}

/**
 * Returns the name of the constraint that a failed statement violated, or `undefined` if it failed for another
 * reason. The name of a partition's constraint is returned without the month: `payments_in_flight` for
 * `payments_2026_12_in_flight`.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code !== '23505' && code !== '23514') return undefined
  const { constraint, table } = fieldsOf(error)
  const [, suffix] = /(_\d{4}_\d\d|_before|_after)$/.exec(String(table)) ?? []
  return suffix !== undefined && String(constraint).startsWith(String(table))
    ? String(constraint).replace(suffix, '')
    : String(constraint)
}
