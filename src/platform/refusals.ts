/**
 * Every expected "no", in one catalogue: reason → HTTP status and the sentence a developer reads.
 * Anything thrown that is not a `Refusal` is a bug and a 500 without detail.
 */
export const refusalCatalogue = {
  request_invalid: [400, 'This is not a valid HTTP/1.1 request.'],
  arguments_invalid: [400, 'Some arguments are invalid; see details.'],
  json_invalid: [400, 'The body is not valid JSON.'],
  space_id_missing: [400, 'Name the Space in the Service-Space-Id header.'],
  space_id_invalid: [400, 'The Service-Space-Id header is not a Space id.'],
  idempotency_key_missing: [400, 'Every POST needs an Idempotency-Key header.'],
  idempotency_key_invalid: [400, 'The Idempotency-Key header must be 1 to 64 printable characters.'],
  cursor_invalid: [400, 'The cursor does not belong to this query; start again without `after`.'],
  version_unknown: [400, 'The Service-Version header is not a version of this API.'],
  token_missing: [401, 'Send an access token: Authorization: Bearer <token>.'],
  token_invalid: [401, 'The access token is not valid.'],
  token_expired: [401, 'The access token has expired.'],
  sign_in_failed: [401, 'That did not sign anybody in: it is wrong, was used before, or has expired.'],
  access_denied: [403, 'This token may not do that in this Space.'],
  step_up_required: [403, 'This needs a fresh sign-in: show once more who you are.'],
  not_found: [404, 'There is no such object in this Space and environment.'],
  route_not_found: [404, 'There is no such address.'],
  method_not_allowed: [405, 'This address does not take that method; see the Allow header.'],
  not_acceptable: [406, 'This has none of the types that the Accept header takes; see details.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_key_in_use: [409, 'This Idempotency-Key was used for another request.'],
  idempotency_key_in_progress: [409, 'The first request with this Idempotency-Key has not finished yet.'],
  state_conflict: [409, 'The object is in a state that forbids this.'],
  fund_insufficient: [409, 'The account has less than the amount and its fee available.'],
  refund_exceeds_payment: [409, 'Less than that remains of the payment.'],
  refund_limit_reached: [409, 'This payment has as many refunds as a payment can have.'],
  refund_window_closed: [409, 'This payment completed too long ago to be refunded.'],
  refund_unsupported: [409, 'Its provider can neither refund this payment nor pay out to its payer.'],
  recall_exceeds_payout: [409, 'Less than that is left of the payout to be recalled.'],
  reference_in_use: [409, 'Another object already has this reference.'],
  body_too_large: [413, 'The body is larger than 256 KiB.'],
  media_type_unsupported: [415, 'Send the body as application/json.'],
  headers_too_large: [431, 'The address and the headers together are larger than 16 KiB.'],
  too_many_requests: [429, 'Too many requests; wait and try again.'],
  internal_error: [500, 'Something went wrong on our side; it is safe to retry with the same key.'],
  service_unavailable: [
    503,
    'The service is not available right now; it is safe to retry with the same key.',
  ],
} as const satisfies Record<string, readonly [number, string]>

export type RefusalReason = keyof typeof refusalCatalogue

/** One faulty argument: where (`lineItems[0].price.value`) and all that is wrong with it. */
export type Fault = { param: string; errors: string[] }

export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly status: number
  readonly details: Fault[]
  readonly headers: Record<string, string>

  constructor(
    reason: RefusalReason,
    more: { message?: string; details?: Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
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

/** Every field's faults at once, yet not a hundred thousand of one. */
export const maxFaultsOfField = 100 // limit: faults reported of one field

/** Collects what is wrong with a request, so that every fault is reported at once. */
export class Faults {
  readonly list: Fault[] = []
  readonly #byParam = new Map<string, Fault>()
  readonly #counts = new Map<string, number>()

  /** `field`: what the limit counts by. All entries of a list are one field, each of whose fields is another. */
  add(param: string, error: string, field = param.replaceAll(/\[\d+\]/g, '[]')): void {
    const same = this.#byParam.get(param)
    if (same) {
      if (!same.errors.includes(error)) same.errors.push(error)
      return
    }
    const count = this.#counts.get(field) ?? 0
    if (count === maxFaultsOfField) return
    this.#counts.set(field, count + 1)
    const fault = { param, errors: [error] }
    this.#byParam.set(param, fault)
    this.list.push(fault)
  }

  /** Adds what is wrong with one entry of a list, `rows[3]`: its parts are faults of the list's. */
  addInside(entry: string, details: readonly Fault[]): void {
    for (const { param, errors } of details)
      for (const error of errors) this.add(param ? `${entry}.${param}` : entry, error)
  }

  /** The faults of one entry, for itself: the reverse of `addInside`. */
  inside(entry: string): Faults {
    const faults = new Faults()
    for (const { param, errors } of this.list)
      if (param === entry || param.startsWith(`${entry}.`))
        for (const error of errors) faults.add(param.slice(entry.length + 1), error)
    return faults
  }

  /** Whether something is wrong with a field, or inside it: then what it says cannot be relied on. */
  isFaulty(param: string): boolean {
    return this.list.some(
      (fault) =>
        fault.param === param || fault.param.startsWith(`${param}.`) || fault.param.startsWith(`${param}[`),
    )
  }

  /** Refuses the request when anything was added. */
  refuse(): void {
    if (this.list.length > 0) throw this.refusal()
  }

  refusal(): Refusal {
    return new Refusal('arguments_invalid', { details: this.list })
  }
}

/** Of a request with one fault. */
export const argumentRefusal = (param: string, error: string) =>
  new Refusal('arguments_invalid', { details: [{ param, errors: [error] }] })
