import { pino } from 'pino'
import { fieldsOf } from './fields.ts'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/**
 * Structured logs, JSON lines on standard error. What is logged is chosen field by field: no bodies, no headers, no
 * query strings, no payer data. Errors keep their name, message, code and stack, never their other properties
 * (PostgreSQL puts row values into `detail`).
 */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, serializers: { err: describeError } },
    pino.destination({ dest: 2, sync: true }),
  )
}

function describeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = fieldsOf(error)
  return { type: error.name, message: error.message, stack: error.stack, code }
}
