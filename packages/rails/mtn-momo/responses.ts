import {
  doneWith,
  type Failures,
  moneyIn,
  type OutboundAnswer,
  parseFields,
  type RailOutcome,
  type RailReport,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import type { Fields } from '@pesewa/values'
import { reasonOf, shownReason } from './documents.ts'
import type { MtnMomoSettings } from './settings.ts'

/**
 * Reads the response to a submit. Only a 400 or 404 response with a known reason proves that nothing was
 * started; a 5xx response is inconclusive.
 */
export function submitted(response: OutboundAnswer, failures: Failures): SubmitOutcome {
  const reason = reasonOf(parseFields(response.body))
  if (response.status === 202) return { outcome: 'accepted' }
  if (response.status === 409 && reason === 'RESOURCE_ALREADY_EXIST') return { outcome: 'accepted' }
  const failure = response.status === 400 || response.status === 404 ? failures.refusalOf(reason) : undefined
  return failure ? { outcome: 'refused', ...failure } : unknown(shownReason(response))
}

const isMissing = ({ status }: OutboundAnswer, fields: Fields | undefined) =>
  status === 404 && reasonOf(fields) === 'RESOURCE_NOT_FOUND'

/** Returns `missing` if MTN does not know the transaction; otherwise, returns `unknown`. */
export const missingOr = (response: OutboundAnswer): RailOutcome =>
  isMissing(response, parseFields(response.body)) ? { outcome: 'missing' } : unknown(shownReason(response))

/**
 * Reads the response to a query.
 *
 * @param failed returns the outcome of a FAILED transaction, given the reason
 * @param ours the external id that we sent, if the caller knows it; MTN returns it unchanged
 */
export function outcomeOf(
  settings: MtnMomoSettings,
  response: OutboundAnswer,
  failed: (reason: string | undefined) => RailOutcome,
  ours?: string,
): RailOutcome {
  const fields = parseFields(response.body)
  if (isMissing(response, fields)) return { outcome: 'missing' }
  if (response.status !== 200 || !fields) return unknown(shownReason(response))
  const { externalId = ours } = fields
  if (ours !== undefined && externalId !== ours) return unknown('the response is for another transaction')
  switch (fields.status) {
    case 'PENDING':
      return { outcome: 'pending' }
    case 'SUCCESSFUL':
      return (
        doneWith(moneyOf(settings, fields), fields.financialTransactionId) ??
        unknown('the response has no readable amount')
      )
    case 'FAILED':
      return failed(reasonOf(fields.reason))
    default:
      return unknown('the response has an unknown status')
  }
}

/**
 * Reads a report. MTN does not sign reports, but its reports contain the external id. For transfers, this is
 * our reference.
 */
export function reportOf(settings: MtnMomoSettings, fields: Fields): RailReport {
  const { externalId } = fields
  return {
    isAuthentic: false,
    reference: typeof externalId === 'string' ? externalId : undefined,
    ...moneyOf(settings, fields),
  }
}

/** Reads the balance of one of our accounts. */
export function availableIn(settings: MtnMomoSettings, { availableBalance, currency }: Fields) {
  const money = moneyOf(settings, { amount: availableBalance, currency })
  return money.amount === undefined || money.currency === undefined
    ? undefined
    : { amount: money.amount, currency: money.currency }
}

function moneyOf({ sandboxCurrency }: MtnMomoSettings, fields: Fields) {
  const { amount, currency: stated } = moneyIn(fields)
  return { amount, currency: stated === sandboxCurrency?.sent ? sandboxCurrency?.currency : stated }
}
