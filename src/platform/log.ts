import { pino } from 'pino'
import { fieldsOf } from './fields.ts'
import { Refusal } from './refusals.ts'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/**
 * Structured logs as JSON lines on standard error. Logged fields are chosen explicitly: no bodies, headers,
 * query strings or payer data. Errors keep their name, message, code and stack, but no other properties
 * (PostgreSQL puts row values into `detail`).
 */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, serializers: { err: describeError } },
    pino.destination({ dest: 2, sync: true }),
  )
}

type DescribedError = {
  type: string
  message?: string
  stack?: string
  code?: unknown
  cause?: DescribedError
}

/**
 * Describes an error for the log. A refusal includes its cause, which has the code, such as `57014` for a
 * statement timeout.
 */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name: type, message, stack } = error
  const { code } = fieldsOf(error)
  return {
    type,
    message,
    ...(stack !== undefined && { stack }),
    ...(code !== undefined && { code }),
    ...(error instanceof Refusal && error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}
