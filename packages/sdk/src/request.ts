import { type Answer, type Operation, tryOnce } from './attempt.ts'
import { backOff, wait } from './delays.ts'
import { ApiError, OutcomeUnknownError } from './errors.ts'
import type { CallOptions, ClientOptions } from './options.ts'

const settleMs = 120_000

/** Options of a call. If an option is `undefined`, the client's value is used. */
type OpenCallOptions = { [K in keyof CallOptions]: CallOptions[K] | undefined }

/**
 * Sends a call, and retries it if that is safe and can help. All attempts of a POST use the same idempotency
 * key. If the same call was made before and its outcome is still unknown, pass the resulting error as `doubt`.
 */
export async function request<T>(
  client: ClientOptions,
  operation: Operation,
  options: OpenCallOptions = {},
  doubt?: UndecidedCall,
): Promise<Answer<T>> {
  const isCommand = operation.method !== 'GET'
  const key = operation.method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const sending = { ...options, ...(key !== undefined && { idempotencyKey: key }) }
  try {
    return await attempts<T>(client, operation, sending, doubt)
  } catch (error) {
    if (!(error instanceof UndecidedCall)) throw error
    if (!isCommand) throw error.cause
    throw new OutcomeUnknownError<T>(error.cause, key, async ({ timeoutMs = settleMs, signal } = {}) => {
      const settling = { ...sending, timeoutMs, maxRetries: Infinity, signal }
      return (await request<T>(client, operation, settling, error)).data
    })
  }
}

/** Thrown when the outcome of the call is unknown, because no conclusive response to it arrived. */
class UndecidedCall extends Error {}

async function attempts<T>(
  client: ClientOptions,
  operation: Operation,
  options: OpenCallOptions,
  doubt: UndecidedCall | undefined,
): Promise<Answer<T>> {
  const given = defined(options)
  const { timeoutMs = 30_000, tryTimeoutMs = 10_000, maxRetries = 2 } = { ...client, ...given }
  const until = Date.now() + timeoutMs
  let unknown = doubt
  for (let attempt = 1; ; attempt++) {
    const left = Math.min(tryTimeoutMs, until - Date.now())
    const outcome = await tryOnce<T>(client, operation, given, attempt, left)
    if ('answer' in outcome) return outcome.answer
    const { error, retryAfterMs, isUnknown } = outcome
    if (isUnknown || (unknown && !provesNotExecuted(error))) unknown = new UndecidedCall('', { cause: error })
    const waitMs = (retryAfterMs ?? 0) + backOff(attempt)
    const mayTry = retryAfterMs !== undefined && attempt <= maxRetries && Date.now() + waitMs < until
    if (!mayTry) throw isUnknown || !provesNotExecuted(error) ? (unknown ?? error) : error
    await wait(waitMs, given.signal).catch((reason) => {
      throw unknown ? new UndecidedCall('', { cause: reason }) : reason
    })
  }
}

/**
 * Returns true if an error response proves that earlier attempts were not executed either, because the service
 * checks the idempotency key first. Responses with status 401, 403, 408 or 429 can come before that check, so
 * they prove nothing.
 */
const provesNotExecuted = (error: unknown) =>
  error instanceof ApiError && ![401, 403, 408, 429].includes(error.status)

/** Removes undefined values, which would otherwise override the client's values. */
const defined = (options: OpenCallOptions): CallOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
