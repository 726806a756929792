import { type Fields, fieldsOf } from '../../../platform/fields.ts'
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import type { RailOutcome, RailReport, SubmitOutcome, UnknownOutcome } from '../../connector.ts'
import type { RailKind } from '../../lane.ts'
import { majorAmountOf, parseFields, transactionOf, unknown } from '../../rail-responses.ts'
import { errorOf, failuresOf, isInconclusive, refusingError, shown } from './codes.ts'
import { typeOf } from './documents.ts'

/** What one of our requests is about. */
export type GsmaSubject = { kind: RailKind; reference: string }

/** Only an error of the category that belongs to its status proves that nothing was done. */
export function submitted(response: OutboundAnswer, kind: RailKind): SubmitOutcome {
  const fields = fieldsOf(parseFields(response.body))
  if (response.status === 202) return begun(fields, kind) ?? unknown(shown(response))
  if (response.status === 201 && transactionOf(fields.transactionReference) !== undefined)
    return { outcome: 'accepted' }
  const error = refusingError(response)
  if (error?.code === 'duplicateRequest') return { outcome: 'accepted' }
  const failure = failuresOf[kind].refusalOf(error?.code)
  return failure ? { outcome: 'refused', ...failure } : unknown(shown(response))
}

function begun(fields: Fields, kind: RailKind): SubmitOutcome | undefined {
  if (fields.status === 'failed') return failed(fields.error, kind)
  const providerReference = transactionOf(fields.serverCorrelationId)
  if (fields.status !== 'pending' && fields.status !== 'completed') return undefined
  return { outcome: 'accepted', ...(providerReference !== undefined && { providerReference }) }
}

function failed(error: unknown, kind: RailKind) {
  const named = errorOf(fieldsOf(error))
  return named && isInconclusive(named)
    ? unknown(`failed, ${named.category} ${named.code}`)
    : ({ outcome: 'refused', ...failuresOf[kind].failureOf(named?.code) } as const)
}

/** A path below the address of the wallet. */
export type GsmaResource = { path: string }

/** Where the wallet says that what we submitted is. A 404 that is not the standard's own is no such word. */
export function resourceOf(
  response: OutboundAnswer,
  baseUrl: string,
): GsmaResource | { outcome: 'missing' } | UnknownOutcome {
  if (refusingError(response)?.category === 'identification') return { outcome: 'missing' }
  const { link } = parseFields(response.body) ?? {}
  if (response.status !== 200 || typeof link !== 'string') return unknown(shown(response))
  const url = URL.parse(link, baseUrl)
  if (url && url.origin !== new URL(baseUrl).origin)
    return { ...unknown('the link leads to another address'), isSecurity: true }
  const [, kind, id] =
    /\/(transactions|requeststates)\/([A-Za-z0-9._~-]{1,100})$/.exec(url?.pathname ?? '') ?? []
  return kind === undefined ? unknown('the link leads to nothing that we know') : { path: `/${kind}/${id}` }
}

/** Of a request that is processed, or of the transaction that came of it. */
export function outcomeOf(response: OutboundAnswer, subject: GsmaSubject): RailOutcome | GsmaResource {
  const fields = parseFields(response.body)
  if (response.status !== 200 || !fields) return unknown(shown(response))
  return fields.transactionStatus === undefined && fields.transactionReference === undefined
    ? stateOf(fields, subject)
    : movedBy(fields, subject)
}

function stateOf(
  { status, objectReference, error }: Fields,
  { kind }: GsmaSubject,
): RailOutcome | GsmaResource {
  if (status === 'pending') return { outcome: 'pending' }
  if (status === 'failed') return failed(error, kind)
  const reference = transactionOf(objectReference)
  return status === 'completed' && reference !== undefined
    ? { path: `/transactions/${encodeURIComponent(reference)}` }
    : unknown('the request has no state that we know')
}

/** The standard leaves the words for a transaction's state open; these are its own. */
function movedBy(fields: Fields, subject: GsmaSubject): RailOutcome {
  if (isAboutAnother(fields, subject)) return unknown('the response is about another transaction')
  const { transactionStatus, transactionReference, error } = fields
  const status = typeof transactionStatus === 'string' ? transactionStatus.toLowerCase() : undefined
  if (status === 'pending') return { outcome: 'pending' }
  if (status === 'failed') return failed(error, subject.kind)
  const { amount, currency } = moneyOf(fields)
  if (status !== 'completed' || amount === undefined || currency === undefined)
    return unknown('the transaction has no state or no amount that we know')
  return { outcome: 'done', amount, currency, railTransaction: transactionOf(transactionReference) }
}

/** Of another type, or with another reference where ours should stand. */
function isAboutAnother(fields: Fields, { kind, reference }: GsmaSubject): boolean {
  const { type, requestingOrganisationTransactionReference: named = reference } = fields
  return named !== reference || (type !== undefined && type !== typeOf[kind])
}

/** A callback is the transaction, the state of the request, or an error; unsigned, and so only a reason to query. */
export function reportOf(fields: Fields): RailReport {
  const { requestingOrganisationTransactionReference: reference } = fields
  return {
    isAuthentic: false,
    isHint: true,
    reference: typeof reference === 'string' ? reference : undefined,
    ...moneyOf(fields),
  }
}

export function moneyOf({ amount, currency }: Fields) {
  if (typeof currency !== 'string') return {}
  return { amount: majorAmountOf(amount, currency), currency }
}
