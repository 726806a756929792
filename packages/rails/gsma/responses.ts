import {
  doneWith,
  hintOf,
  moneyIn,
  type OutboundAnswer,
  parseFields,
  type RailKind,
  type RailOutcome,
  type RailReport,
  type SubmitOutcome,
  transactionOf,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'
import { errorOf, failuresOf, isInconclusive, refusingError, shown } from './codes.ts'
import { typeOf } from './documents.ts'

/** The request to which a response belongs. */
export type GsmaSubject = { kind: RailKind; reference: string }

/** Reads the response to a submit. Only an error whose category matches its status proves that nothing was done. */
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

/** A path relative to the wallet's URL. */
export type GsmaResource = { path: string }

/**
 * Returns the path at which the result of our request can be read. Only the standard's own 404 error means that
 * there is no result.
 */
export function resourceOf(
  response: OutboundAnswer,
  baseUrl: string,
): GsmaResource | { outcome: 'missing' } | UnknownOutcome {
  if (refusingError(response)?.category === 'identification') return { outcome: 'missing' }
  const { link } = parseFields(response.body) ?? {}
  if (response.status !== 200 || typeof link !== 'string') return unknown(shown(response))
  const url = URL.parse(link, baseUrl)
  if (url && url.origin !== new URL(baseUrl).origin)
    return { ...unknown('the link points to another host'), isSecurity: true }
  const [, kind, id] =
    /\/(transactions|requeststates)\/([A-Za-z0-9._~-]{1,100})$/.exec(url?.pathname ?? '') ?? []
  return kind === undefined ? unknown('the link points to an unknown resource') : { path: `/${kind}/${id}` }
}

/** Reads the state of a request, or the transaction that it created. */
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
    : unknown('the request has an unknown state')
}

/**
 * Reads the outcome of a transaction. The standard does not prescribe transaction states; these are the ones
 * that its own examples use.
 */
function movedBy(fields: Fields, subject: GsmaSubject): RailOutcome {
  if (isAboutAnother(fields, subject)) return unknown('the response is for another transaction')
  const { transactionStatus, transactionReference, error } = fields
  const status = typeof transactionStatus === 'string' ? transactionStatus.toLowerCase() : undefined
  if (status === 'pending') return { outcome: 'pending' }
  if (status === 'failed') return failed(error, subject.kind)
  const done = status === 'completed' && doneWith(moneyIn(fields), transactionReference)
  return done || unknown('the transaction has an unknown state or no readable amount')
}

/** Returns whether the transaction's type or reference differs from that of our request. */
function isAboutAnother(fields: Fields, { kind, reference }: GsmaSubject): boolean {
  const { type, requestingOrganisationTransactionReference: named = reference } = fields
  return named !== reference || (type !== undefined && type !== typeOf[kind])
}

/**
 * Reads a callback, which contains the transaction, the state of the request or an error. Callbacks are
 * unsigned and therefore only trigger a query.
 */
export const reportOf = (fields: Fields): RailReport =>
  hintOf(fields.requestingOrganisationTransactionReference, fields)
