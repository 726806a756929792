import { codeOf } from '../errors.ts'
import { fieldsOf } from '../fields.ts'
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
 * SQLSTATE classes: connection, resources (connections, disk, memory), operator intervention; and a standby not
 * yet promoted.
 */
const awayStates = /^(08|53|57)|^25006$/

/**
 * Turns errors from an unavailable, full or too slow database into a 503 that is safe to retry; rethrows all
 * others. The `cause` carries the SQLSTATE for the log.
 */
export function refuseIfUnavailable(error: unknown): never {
  if (isDatabaseUnavailable(error))
    throw new Refusal('service_unavailable', { headers: { 'retry-after': '1' }, cause: error })
  throw error
}

/**
 * Returns whether a driver error, or the refusal created from it, means that the database is unavailable, full
 * or too slow.
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

/** Returns the constraint that a failed statement violated, or `undefined`. */
export function violatedConstraint(error: unknown): string | undefined {
  const code = codeOf(error)
  return code === '23505' || code === '23514' ? String(fieldsOf(error).constraint) : undefined
}
