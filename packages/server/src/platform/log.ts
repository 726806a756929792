import { fieldsOf } from '@pesewa/values'
import { pino } from 'pino'
import { Refusal } from './refusals.ts'
import { traceLogFields } from './tracing/spans.ts'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/**
 * Writes structured logs as JSON lines to standard error. The logged fields are chosen explicitly and never
 * include bodies, headers, query strings or payers' data. Errors are logged with their name, message, code and
 * stack, but without other properties, because PostgreSQL puts the values of rows into `detail`. With `isTraced`, each
 * line contains the ids of the trace and span that it belongs to.
 */
export function createLog(level: string, { isTraced = false } = {}): Log {
  return pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      ...(isTraced && { mixin: () => traceLogFields() }),
    },
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
 * Returns the fields that describe an error in the log. For a refusal, they include its cause with its code,
 * such as `57014` for a statement timeout.
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
