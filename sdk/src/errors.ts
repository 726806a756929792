import type { ErrorReason } from './generated/types.ts'

/** What the service may add to later: a reason that this version does not know is a text, too. */
type Open<T extends string> = T | (string & {})

/** One faulty argument: where (`lineItems[0].price.value`), and all that is wrong with it. */
export type Fault = { param: string; errors: string[] }

/** Whatever this client throws but for faults of its caller's own making. */
export class PesewaError extends Error {
  override name = 'PesewaError'
}

/** Nobody responded, or not in time. Only of calls that change nothing: of others see {@link OutcomeUnknownError}. */
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

/** The service refused a call. Decide by `reason`; `message` is for people, and has the first fault of `details`. */
export class ApiError extends PesewaError {
  override name = 'ApiError'
  readonly status: number
  readonly reason: Open<ErrorReason>
  readonly details: readonly Fault[]
  /** Under which the service logged it, and its support finds it. */
  readonly requestId: string | undefined
  readonly idempotencyKey: string | undefined

  constructor({ message, status, reason, details, requestId, idempotencyKey }: Refused) {
    super(withFirstFault(message, details))
    this.status = status
    this.reason = reason
    this.details = details
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
  }
}

/** `Some arguments are invalid: name is required (1 more in details).` */
function withFirstFault(message: string, details: Fault[]): string {
  const [first] = details
  if (!first?.errors[0]) return message
  const more = details.flatMap(({ errors }) => errors).length - 1
  const rest = more > 0 ? ` (${more} more in details)` : ''
  return `${message.replace(/(; see details)?\.$/, '')}: ${first.param} ${first.errors[0]}${rest}.`
}

/** The arguments, or the request as a whole: `details` names the faults. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}

/** The token is missing, wrong or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** The token may not do that in this Space. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** Something is in a state that forbids it: too little money, a key or a reference in use. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** The service could not do it. Only of calls that change nothing: of others see {@link OutcomeUnknownError}. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

type Settle<T> = (options?: { timeoutMs?: number; signal?: AbortSignal }) => Promise<T>

/**
 * Nobody knows whether a call that changes something was carried out: no response came, or one that does not say. It is no failure.
 * `settle()` sends the same call with the same key until it is known, and does nothing twice.
 */
export class OutcomeUnknownError<T = unknown> extends PesewaError {
  override name = 'OutcomeUnknownError'
  /** With which the same call can be repeated later, by another process too. PATCH and DELETE have none, and may be repeated. */
  readonly idempotencyKey: string | undefined
  /** Returns the result, or throws the refusal; throws this again where it is still unknown after `timeoutMs` (2 minutes). */
  readonly settle: Settle<T>

  constructor(cause: unknown, idempotencyKey: string | undefined, settle: Settle<T>) {
    super(
      'It is not known whether this was carried out: call settle(), or repeat it with the same idempotencyKey.',
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

/** By its status. */
export function errorOf(refused: Refused): ApiError {
  const { status } = refused
  const kind =
    classes[status] ?? (status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : ApiError)
  return new kind(refused)
}
