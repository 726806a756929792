import { pino } from 'pino'
import { fieldsOf } from './fields.ts'
import { Refusal } from './refusals.ts'

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

type DescribedError = {
  type: string
  message?: string
  stack?: string
  code?: unknown
  cause?: DescribedError
}

/** A refusal with its cause, which has the code: `57014` where a statement took too long. */
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
