import {
  doneWith,
  type Failures,
  foreignPage,
  type Guidance,
  moneyIn,
  type OutboundAnswer,
  pageOf,
  parseFields,
  type RailKind,
  type RailOutcome,
  type RailReport,
  type ReceivedReport,
  type SubmitOutcome,
  unknown,
  type Verdict,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf, hasFields } from '@pesewa/values'
import { depositFailures, inconclusiveCode, payoutFailures, refundFailures } from './codes.ts'

const failuresOf = { collect: depositFailures, disburse: payoutFailures, refund: refundFailures }

/** The fields that may contain our reference. For refunds, pawaPay has also used `payoutId`. */
const idFields = {
  collect: ['depositId'],
  disburse: ['payoutId'],
  refund: ['refundId', 'payoutId'],
} as const satisfies Record<RailKind, readonly string[]>

/** The request to which a response belongs. */
export type PawapaySubject = { kind: RailKind; reference: string }

/**
 * Reads the response to a submit. Only `REJECTED`, or a 400, 401 or 403 response with a known code, proves that
 * nothing was started.
 */
export function submitted(response: OutboundAnswer, subject: PawapaySubject): SubmitOutcome {
  const fields = parseFields(response.body) ?? {}
  const code = codeOf(fields)
  const failures = failuresOf[subject.kind]
  if (isAboutAnother(fields, subject)) return aboutAnother
  if (response.status === 200) return begun(fields.status, code, failures) ?? unknown(shown(response, code))
  const failure = [400, 401, 403].includes(response.status) ? failures.refusalOf(code) : undefined
  return failure ? { outcome: 'refused', ...failure } : unknown(shown(response, code))
}

function begun(status: unknown, code: string | undefined, failures: Failures): SubmitOutcome | undefined {
  if (status === 'ACCEPTED' || status === 'DUPLICATE_IGNORED') return { outcome: 'accepted' }
  return status === 'REJECTED' && code !== inconclusiveCode
    ? { outcome: 'refused', ...failures.failureOf(code) }
    : undefined
}

/** The payer's next steps while a payment is pending. */
type NextStep = { pageOrigin: string | undefined; guidance: Guidance | undefined }

/**
 * Reads the response to a query. `NOT_FOUND` is returned with a 200 status, so it cannot be confused with a
 * missing page.
 */
export function outcomeOf(
  response: OutboundAnswer,
  subject: PawapaySubject,
  next: Partial<NextStep> = {},
): RailOutcome {
  const { status, data } = parseFields(response.body) ?? {}
  if (response.status === 200 && status === 'NOT_FOUND') return { outcome: 'missing' }
  if (response.status !== 200 || status !== 'FOUND' || !hasFields(data)) return unknown(shown(response))
  if (isAboutAnother(data, subject)) return aboutAnother
  if (pendingStates.includes(data.status)) return pending(data, next)
  return verdictOf(data, failuresOf[subject.kind]) ?? unknown('the response has an unknown outcome')
}

/** The states of a pending request. The sandbox uses `SUBMITTED`; payouts and refunds use `ENQUEUED`. */
const pendingStates: readonly unknown[] = [
  ...['ACCEPTED', 'SUBMITTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION'],
]

function pending({ authorizationUrl }: Fields, { pageOrigin, guidance }: Partial<NextStep>): RailOutcome {
  const redirectUrl = pageOf(pageOrigin, authorizationUrl)
  if (authorizationUrl !== undefined && redirectUrl === undefined) return foreignPage
  return { outcome: 'pending', ...(redirectUrl && { redirectUrl }), ...(guidance && { guidance }) }
}

/** Returns the verdict on a deposit, payout or refund, or `undefined` if it has no outcome yet. */
function verdictOf(data: Fields, failures: Failures): Verdict | undefined {
  const code = codeOf(data)
  if (data.status === 'FAILED' && code !== inconclusiveCode)
    return { outcome: 'refused', ...failures.failureOf(code) }
  return data.status === 'COMPLETED' ? doneWith(moneyIn(data), data.providerTransactionId) : undefined
}

/**
 * Reads a callback, whose body is the document itself. pawaPay sends callbacks to one URL for each kind of
 * payment. A signed callback is proof; any other callback only triggers a query.
 *
 * @param proof `none` if there is no key with which the callback can be checked
 */
export function reportOf({ rawBody, fields }: ReceivedReport, proof: CallbackProof): RailReport {
  const data = fieldsOf(proof === 'valid' ? parseFields(rawBody.toString()) : fields)
  const { refundId, payoutId, depositId } = data
  const reference = [refundId, payoutId, depositId].find((id) => typeof id === 'string')
  return {
    isAuthentic: proof === 'valid',
    isHint: proof === 'none',
    reference: typeof reference === 'string' ? reference : undefined,
    ...moneyIn(data),
    verdictOn: (kind) =>
      idFields[kind].some((name) => data[name] !== undefined && data[name] === reference)
        ? verdictOf(data, failuresOf[kind])
        : undefined,
  }
}

export type CallbackProof = 'valid' | 'invalid' | 'none'

/** Returns whether the document contains other references but not ours. */
const isAboutAnother = (fields: Fields, { kind, reference }: PawapaySubject) => {
  const ids = idFields[kind].flatMap((name) => (fields[name] === undefined ? [] : [fields[name]]))
  return ids.length > 0 && !ids.includes(reference)
}

const aboutAnother = unknown('the response is for another reference')

/** Returns the failure code of a document. Older documents contain `rejectionReason` instead of `failureReason`. */
function codeOf({ failureReason, rejectionReason }: Fields): string | undefined {
  const code = fieldsOf(failureReason).failureCode ?? fieldsOf(rejectionReason).rejectionCode
  return typeof code === 'string' && /^[A-Z][A-Z_]{1,63}$/.test(code) ? code : undefined
}

/** Returns the status and code of a response, for the log. Nothing else from a rail is logged. */
const shown = ({ status, body }: OutboundAnswer, code = codeOf(parseFields(body) ?? {})): string =>
  [status, code].filter(Boolean).join(' ')
