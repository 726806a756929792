import {
  type Failure,
  failures,
  majorAmountOf,
  type OutboundAnswer,
  parseFields,
  type RailOutcome,
  type SubmitOutcome,
  transactionOf,
  unknown,
  type Verdict,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'
import { type AirtelCodes, codesOf, collectionCodes, pinCodes } from './codes.ts'
import { shown, transactionIn } from './documents.ts'

/**
 * Statuses of a transaction that has been started. In the response to a submit, even `TS` (success) means only
 * that the transaction has been started; only the enquiry returns the outcome.
 */
const startedStatuses: readonly unknown[] = ['SUCCESS', 'TS', 'TIP', 'TA']

/**
 * Reads the response to a submit. `SUCCESS` means only that the payer was asked. Only a code that Airtel
 * returns before it starts anything proves that nothing was started.
 */
export function submitted(response: OutboundAnswer, codes: AirtelCodes, reference: string): SubmitOutcome {
  const fields = parseFields(response.body) ?? {}
  const names = codesOf(fields)
  if (!isClear(response)) return unknown(shown(response))
  if (names.some((name) => codes.duplicate.includes(name))) return { outcome: 'accepted' }
  const { id, status } = transactionIn(fields)
  const failure = refusalOf(fields, names, codes)
  if (startedStatuses.includes(status))
    return response.status === 200 && isOurs(id, reference) && !failure
      ? { outcome: 'accepted' }
      : unknown(shown(response))
  const alert = names.some((name) => pinCodes.includes(name)) ? pinAlert : undefined
  return failure ? { outcome: 'refused', ...failure, ...(alert && { alert }) } : unknown(shown(response))
}

const pinAlert = 'the PIN for disbursements was rejected; several wrong attempts lock it'

function refusalOf(fields: Fields, names: string[], codes: AirtelCodes): Failure | undefined {
  if (names.some((name) => codes.open.includes(name))) return undefined
  // The code alone is ambiguous, because it has a different meaning in the response to an enquiry.
  const { message } = fieldsOf(fields.status)
  if (codes === collectionCodes && names.includes('DP00800001005') && isNotFound(message))
    return failures.walletMissing
  const refusing = names.find((name) => codes.failures.refusalOf(name))
  return codes.failures.refusalOf(refusing)
}

export const isNotFound = (message: unknown) =>
  typeof message === 'string' && /^\s*(?:msisdn|subscriber|user) (?:is )?not found\b/i.test(message)

/**
 * Returns whether a response is definite. A 5xx response is not definite, and neither is a 408 or 429 response,
 * which may come from a proxy.
 */
export const isClear = ({ status }: OutboundAnswer) =>
  status === 200 || (status >= 400 && status < 500 && ![401, 408, 429].includes(status))

const isOurs = (id: unknown, reference: string) => id === undefined || id === reference

/** Reads the response to an enquiry by our reference. */
export function outcomeOf(response: OutboundAnswer, codes: AirtelCodes, reference: string): RailOutcome {
  const fields = parseFields(response.body) ?? {}
  const names = codesOf(fields)
  const transaction = transactionIn(fields)
  if (!isClear(response)) return unknown(shown(response))
  if (transaction.status === undefined) return withoutTransaction(names, codes) ?? unknown(shown(response))
  if (response.status !== 200 || !isOurs(transaction.id, reference)) return unknown(shown(response))
  switch (transaction.status) {
    case 'TIP':
    case 'TA':
      return { outcome: 'pending' }
    case 'TS':
      return names.some((name) => contradictsSuccess(name, codes))
        ? unknown(shown(response))
        : moved(transaction)
    case 'TF':
      return names.some((name) => codes.open.includes(name)) ? { outcome: 'pending' } : failed(names, codes)
    case 'TE':
      return refused(codes.expired)
    default:
      return unknown('the response has an unknown status')
  }
}

function withoutTransaction(names: string[], codes: AirtelCodes): RailOutcome | undefined {
  if (names.some((name) => codes.missing.includes(name))) return { outcome: 'missing' }
  return names.some((name) => name === codes.expired.is) ? refused(codes.expired) : undefined
}

const contradictsSuccess = (name: string, { open, missing, failures }: AirtelCodes) =>
  open.includes(name) || missing.includes(name) || failures.failureOf(name) !== failures.failureOf(undefined)

function failed(names: string[], { failures }: AirtelCodes): RailOutcome {
  const known = names.find((name) => failures.failureOf(name) !== failures.failureOf(undefined))
  return refused(failures.failureOf(known))
}

const refused = ({ code, message }: Failure): RailOutcome => ({ outcome: 'refused', code, message })

/**
 * Reads a successful transaction. Airtel does not include the amount here; if it ever does, that amount is
 * used.
 */
function moved({ amount, currency, airtel_money_id }: Fields): RailOutcome & { outcome: 'done' | 'unknown' } {
  const railTransaction = transactionOf(airtel_money_id)
  if (amount === undefined && currency === undefined)
    return { outcome: 'done', amount, currency, isAmountUnstated: true, railTransaction }
  const stated = typeof currency === 'string' ? majorAmountOf(amount, currency) : undefined
  return typeof currency !== 'string' || stated === undefined
    ? unknown('the response has no readable amount')
    : { outcome: 'done', amount: stated, currency, railTransaction }
}

/**
 * Returns the verdict of an authenticated report. The reason for a failure can only be obtained with an
 * enquiry.
 */
export function verdictOf(transaction: Fields): Verdict | undefined {
  const outcome = transaction.status_code === 'TS' ? moved(transaction) : undefined
  return outcome?.outcome === 'done' ? outcome : undefined
}
