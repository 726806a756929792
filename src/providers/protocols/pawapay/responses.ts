import { type Fields, fieldsOf, hasFields } from '../../../platform/fields.ts'
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import type { RailOutcome, RailReport, ReceivedReport, SubmitOutcome, Verdict } from '../../connector.ts'
import type { Failures } from '../../failures.ts'
import type { Guidance } from '../../guidance.ts'
import type { RailKind } from '../../lane.ts'
import { foreignPage, pageOf } from '../../rail-page.ts'
import { majorAmountOf, parseFields, transactionOf, unknown } from '../../rail-responses.ts'
import { depositFailures, inconclusiveCode, payoutFailures, refundFailures } from './codes.ts'

const failuresOf = { collect: depositFailures, disburse: payoutFailures, refund: refundFailures }

/** Where our reference stands. Of a refund it has stood in `payoutId` as well. */
const idFields = {
  collect: ['depositId'],
  disburse: ['payoutId'],
  refund: ['refundId', 'payoutId'],
} as const satisfies Record<RailKind, readonly string[]>

/** What one of our requests is about. */
export type PawapaySubject = { kind: RailKind; reference: string }

/** Only `REJECTED`, and a 400, 401 or 403 with a known code, prove that nothing was begun. */
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

/** What the payer has to do meanwhile. */
type NextStep = { pageOrigin: string | undefined; guidance: Guidance | undefined }

/** `NOT_FOUND` comes with a 200: an explicit word, and no missing page. */
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
  return verdictOf(data, failuresOf[subject.kind]) ?? unknown('the response has no outcome that we know')
}

/** `SUBMITTED` is the sandbox's, `ENQUEUED` that of money that goes out. */
const pendingStates: readonly unknown[] = [
  ...['ACCEPTED', 'SUBMITTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION'],
]

function pending({ authorizationUrl }: Fields, { pageOrigin, guidance }: Partial<NextStep>): RailOutcome {
  const redirectUrl = pageOf(pageOrigin, authorizationUrl)
  if (authorizationUrl !== undefined && redirectUrl === undefined) return foreignPage
  return { outcome: 'pending', ...(redirectUrl && { redirectUrl }), ...(guidance && { guidance }) }
}

/** Of the document of a deposit, payout or refund, where it has ended. */
function verdictOf(data: Fields, failures: Failures): Verdict | undefined {
  const code = codeOf(data)
  if (data.status === 'FAILED' && code !== inconclusiveCode)
    return { outcome: 'refused', ...failures.failureOf(code) }
  const { amount, currency } = moneyOf(data)
  if (data.status !== 'COMPLETED' || amount === undefined || currency === undefined) return undefined
  return { outcome: 'done', amount, currency, railTransaction: transactionOf(data.providerTransactionId) }
}

/**
 * A callback is the document itself, at one address for all of a kind. It proves something where it is signed; else it only
 * makes us query.
 *
 * @param proof `none`: the connection, or what it has read so far, has no key to check it with
 */
export function reportOf({ rawBody, fields }: ReceivedReport, proof: CallbackProof): RailReport {
  const data = fieldsOf(proof === 'valid' ? parseFields(rawBody.toString()) : fields)
  const { refundId, payoutId, depositId } = data
  const reference = [refundId, payoutId, depositId].find((id) => typeof id === 'string')
  return {
    isAuthentic: proof === 'valid',
    isHint: proof === 'none',
    reference: typeof reference === 'string' ? reference : undefined,
    ...moneyOf(data),
    verdictOn: (kind) =>
      idFields[kind].some((name) => data[name] !== undefined && data[name] === reference)
        ? verdictOf(data, failuresOf[kind])
        : undefined,
  }
}

export type CallbackProof = 'valid' | 'invalid' | 'none'

/** Amounts have two decimals also where the currency has none. */
function moneyOf({ amount, currency }: Fields) {
  if (typeof currency !== 'string') return {}
  return { amount: majorAmountOf(amount, currency), currency }
}

/** A document that names our reference nowhere and another where it should stand. */
const isAboutAnother = (fields: Fields, { kind, reference }: PawapaySubject) => {
  const ids = idFields[kind].flatMap((name) => (fields[name] === undefined ? [] : [fields[name]]))
  return ids.length > 0 && !ids.includes(reference)
}

const aboutAnother = unknown('the response is about another reference')

/** The older form of the documents calls it a rejection. */
function codeOf({ failureReason, rejectionReason }: Fields): string | undefined {
  const code = fieldsOf(failureReason).failureCode ?? fieldsOf(rejectionReason).rejectionCode
  return typeof code === 'string' && /^[A-Z][A-Z_]{1,63}$/.test(code) ? code : undefined
}

/** Status and code of a response, for the log; nothing else that a rail writes goes there. */
const shown = ({ status, body }: OutboundAnswer, code = codeOf(parseFields(body) ?? {})): string =>
  [status, code].filter(Boolean).join(' ')
