import type { ErrorReason } from './generated/types.ts'

/** An open-ended set: the service may add reasons that this version does not know. */
type Open<T extends string> = T | (string & {})

/** An invalid argument: its path (such as `lineItems[0].price.value`) and everything that is wrong with it. */
export type Fault = { param: string; errors: string[] }

/** Base class of the errors that this client throws, except those for incorrect use of the client itself. */
export class PesewaError extends Error {
  override name = 'PesewaError'
}

/**
 * The service could not be reached or did not respond in time. Thrown only by read-only calls. Other calls
 * throw {@link OutcomeUnknownError}.
 */
export class ConnectionError extends PesewaError {
  override name = 'ConnectionError'
}

type Refused = {
  status: number
  reason: string
  message: string
  details: Fault[]
  requestId: string | undefined
  idempotencyKey: string | undefined
}

/**
 * The service refused a call. Use `reason` to decide what to do; `message` is for people and includes the first
 * problem in `details`.
 */
export class ApiError extends PesewaError {
  override name = 'ApiError'
  readonly status: number
  readonly reason: Open<ErrorReason>
  readonly details: readonly Fault[]
  /** The message without `details`, for forms that show each problem next to its field. */
  readonly summary: string
  /** ID of the request in the service's log. Include it when you contact support. */
  readonly requestId: string | undefined
  readonly idempotencyKey: string | undefined

  constructor({ message, status, reason, details, requestId, idempotencyKey }: Refused) {
    super(withFirstFault(message, details))
    this.status = status
    this.reason = reason
    this.details = details
    this.summary = message
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
  }
}

/** Returns a message such as `Some arguments are invalid: name is required (1 more in details).` */
function withFirstFault(message: string, details: Fault[]): string {
  const [first] = details
  if (!first?.errors[0]) return message
  const more = details.flatMap(({ errors }) => errors).length - 1
  const rest = more > 0 ? ` (${more} more in details)` : ''
  return `${message.replace(/(; see details)?\.$/, '')}: ${first.param} ${first.errors[0]}${rest}.`
}

/** Invalid arguments or an invalid request; see `details`. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}

/** The token is missing, invalid or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** The token lacks the required permission in this Space. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/**
 * The call conflicts with the current state: for example, there are insufficient funds, or the idempotency key
 * or reference is already in use.
 */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** The service failed. Thrown only by read-only calls. Other calls throw {@link OutcomeUnknownError}. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

type SettleCall<T> = (options?: { timeoutMs?: number; signal?: AbortSignal }) => Promise<T>

/**
 * It is unknown whether a call that changes data was executed, because there was no response or no conclusive
 * one. Do not treat this as a failure. `settle()` repeats the call with the same idempotency key until the
 * outcome is known; the call is never executed twice.
 */
export class OutcomeUnknownError<T = unknown> extends PesewaError {
  override name = 'OutcomeUnknownError'
  /**
   * Idempotency key for repeating the call later, even from another process. It is not set for PATCH and
   * DELETE, which are safe to repeat.
   */
  readonly idempotencyKey: string | undefined
  /**
   * Repeats the call until its outcome is known, and returns the result or throws the refusal. Throws this
   * error again if the outcome is still unknown after `timeoutMs` (2 minutes by default).
   */
  readonly settle: SettleCall<T>

  constructor(cause: unknown, idempotencyKey: string | undefined, settle: SettleCall<T>) {
    super(
      'The outcome of this call is unknown. Call settle(), or repeat the call with the same idempotencyKey.',
      {
        cause,
      },
    )
    this.idempotencyKey = idempotencyKey
    this.settle = settle
  }
}

const classes: Record<number, new (refused: Refused) => ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
}

/** Creates an error of the class that matches the HTTP status. */
export function createApiError(refused: Refused): ApiError {
  const { status } = refused
  const kind =
    classes[status] ?? (status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : ApiError)
  return new kind(refused)
}
