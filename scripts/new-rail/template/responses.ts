import {
  doneWith,
  type Failures,
  hintOf,
  moneyIn,
  type OutboundAnswer,
  parseFields,
  type RailOutcome,
  type RailReport,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'

// Replace: what the rail's responses prove. Anything that is not documented is unknown.

/** Reads the response to a submit. Only a 4xx response with a known code proves that nothing was started. */
export function submitted(response: OutboundAnswer, failures: Failures): SubmitOutcome {
  const { status } = response
  const { status: state, code } = fieldsOf(parseFields(response.body))
  if (status === 202 && state === 'pending') return { outcome: 'accepted' }
  // The rail already has this request, for example because its first response was lost.
  if (status === 409 && code === 'duplicate_reference') return { outcome: 'accepted' }
  const failure = status >= 400 && status < 500 ? failures.refusalOf(code) : undefined
  return failure ? { outcome: 'refused', ...failure } : unknown(shown(response))
}

/** Reads the response to a query. */
export function outcomeOf(response: OutboundAnswer, reference: string, failures: Failures): RailOutcome {
  const fields = fieldsOf(parseFields(response.body))
  if (response.status === 404 && fields.code === 'not_found') return { outcome: 'missing' }
  if (response.status !== 200) return unknown(shown(response))
  if (fields.reference !== reference) return unknown('the response is for another reference')
  if (fields.status === 'pending') return { outcome: 'pending' }
  if (fields.status === 'failed') return { outcome: 'refused', ...failures.failureOf(fields.code) }
  const done = fields.status === 'completed' && doneWith(moneyIn(fields), fields.transactionId)
  return done || unknown('the response has an unknown status or no readable amount')
}

/**
 * Reads a callback, which has the same fields as the response to a query. Callbacks are unsigned and therefore
 * only trigger a query. Replace: if the rail signs its callbacks, check the signature, and return `isAuthentic`
 * and `verdictOn` (see `packages/rails/rest/report.ts`).
 */
export const reportOf = (fields: Fields): RailReport => hintOf(fields.reference, fields)

/** Returns the status and code of a response, for the log. Nothing else from a rail is logged. */
function shown({ status, body }: OutboundAnswer): string {
  const { code } = fieldsOf(parseFields(body))
  return typeof code === 'string' && /^[a-z_]{2,64}$/.test(code) ? `${status} ${code}` : String(status)
}
