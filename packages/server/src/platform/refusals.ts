/**
 * All expected refusals, with their HTTP statuses and messages. Any other error is a bug and becomes a 500
 * without details.
 */
export const refusalCatalogue = {
  request_invalid: [400, 'This is not a valid HTTP/1.1 request.'],
  arguments_invalid: [400, 'Some arguments are invalid; see details.'],
  json_invalid: [400, 'The body is not valid JSON.'],
  space_id_missing: [400, 'Set the Service-Space-Id header to the id of a Space.'],
  space_id_invalid: [400, 'The Service-Space-Id header is not a valid Space id.'],
  idempotency_key_missing: [400, 'Every POST requires an Idempotency-Key header.'],
  idempotency_key_invalid: [400, 'The Idempotency-Key header must be 1 to 64 printable ASCII characters.'],
  cursor_invalid: [400, 'The cursor is not valid for this query. Start again without `after`.'],
  version_unknown: [400, 'The Service-Version header does not name a supported API version.'],
  token_missing: [401, 'Send an access token: Authorization: Bearer <token>.'],
  token_invalid: [401, 'The access token is not valid.'],
  token_expired: [401, 'The access token has expired.'],
  sign_in_failed: [401, 'Sign-in failed: the link, code or passkey is invalid, already used or expired.'],
  access_denied: [403, 'You do not have permission to do this in this Space.'],
  step_up_required: [403, 'This requires a recent sign-in. Sign in again to continue.'],
  not_found: [404, 'No such object exists in this Space and environment.'],
  route_not_found: [404, 'This URL does not exist.'],
  method_not_allowed: [405, 'This URL does not support that method; see the Allow header.'],
  not_acceptable: [406, 'None of the types in the Accept header is available; see details.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_key_in_use: [409, 'This Idempotency-Key was already used for a different request.'],
  idempotency_key_in_progress: [409, 'A request with this Idempotency-Key is still in progress.'],
  state_conflict: [409, 'The object’s current state does not allow this.'],
  fund_insufficient: [409, 'The account’s available balance does not cover the amount and the fee.'],
  refund_exceeds_payment: [409, 'The amount exceeds what can still be refunded.'],
  refund_limit_reached: [409, 'This payment has reached the maximum number of refunds.'],
  refund_window_closed: [409, 'This payment is too old to be refunded.'],
  refund_unsupported: [
    409,
    'The provider of this payment supports neither refunds nor payouts to the payer.',
  ],
  recall_exceeds_payout: [409, 'The amount exceeds what can still be recalled.'],
  reference_in_use: [409, 'Another object already uses this reference.'],
  body_too_large: [413, 'The body is larger than 256 KiB.'],
  media_type_unsupported: [415, 'Send the body as application/json.'],
  headers_too_large: [431, 'The request line and headers together are larger than 16 KiB.'],
  too_many_requests: [429, 'Too many requests. Wait a moment and try again.'],
  internal_error: [
    500,
    'Something went wrong on our side. It is safe to retry with the same idempotency key.',
  ],
  service_unavailable: [
    503,
    'The service is temporarily unavailable. It is safe to retry with the same idempotency key.',
  ],
} as const satisfies Record<string, readonly [number, string]>

export type RefusalReason = keyof typeof refusalCatalogue

/** An invalid argument, with its path (such as `lineItems[0].price.value`) and everything that is wrong with it. */
export type Issue = { param: string; errors: string[] }

export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly status: number
  readonly details: Issue[]
  readonly headers: Record<string, string>

  constructor(
    reason: RefusalReason,
    more: { message?: string; details?: Issue[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(
      more.message ?? refusalCatalogue[reason][1],
      more.cause === undefined ? undefined : { cause: more.cause },
    )
    this.reason = reason
    this.status = refusalCatalogue[reason][0]
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
  }
}

/** Maximum number of issues reported for one field. The issues with all fields are reported together. */
export const maxIssuesPerField = 100 // limit: issues reported for one field

/** Collects the issues with a request, so that they are reported together. */
export class Issues {
  readonly list: Issue[] = []
  readonly #byParam = new Map<string, Issue>()
  readonly #counts = new Map<string, number>()

  /**
   * Adds an issue. `field` is the field that the issue is counted under for the limit. All entries of a list
   * count as one field, but each field inside the entries counts separately.
   */
  add(param: string, error: string, field = param.replaceAll(/\[\d+\]/g, '[]')): void {
    const same = this.#byParam.get(param)
    if (same) {
      if (!same.errors.includes(error)) same.errors.push(error)
      return
    }
    const count = this.#counts.get(field) ?? 0
    if (count === maxIssuesPerField) return
    this.#counts.set(field, count + 1)
    const fault = { param, errors: [error] }
    this.#byParam.set(param, fault)
    this.list.push(fault)
  }

  /** Adds the issues with one list entry, whose path, such as `rows[3]`, is prepended to theirs. */
  addInside(entry: string, details: readonly Issue[]): void {
    for (const { param, errors } of details)
      for (const error of errors) this.add(param ? `${entry}.${param}` : entry, error)
  }

  /**
   * Returns the issues with one list entry, with paths relative to that entry. This is the inverse of
   * `addInside`.
   */
  inside(entry: string): Issues {
    const issues = new Issues()
    for (const { param, errors } of this.list)
      if (param === entry || param.startsWith(`${entry}.`))
        for (const error of errors) issues.add(param.slice(entry.length + 1), error)
    return issues
  }

  /** Returns whether there is an issue with a field or anything inside it. If so, its value cannot be relied on. */
  hasIssue(param: string): boolean {
    return this.list.some(
      (fault) =>
        fault.param === param || fault.param.startsWith(`${param}.`) || fault.param.startsWith(`${param}[`),
    )
  }

  /** Throws a refusal if there are any issues. */
  refuse(): void {
    if (this.list.length > 0) throw this.refusal()
  }

  refusal(): Refusal {
    return new Refusal('arguments_invalid', { details: this.list })
  }
}

/** Returns the row, or refuses the request with `not_found` if there is none. */
export function existing<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Refusal('not_found')
  return row
}

/** Creates a refusal with a single issue. */
export const argumentRefusal = (param: string, error: string) =>
  new Refusal('arguments_invalid', { details: [{ param, errors: [error] }] })
