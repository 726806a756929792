import { type OutboundAnswer, parseFields } from '@pesewa/connector-kit'
import { type Fields, fieldsOf, toMajorUnits } from '@pesewa/values'
import { codesOf } from './codes.ts'

/** Returns the status and codes of a response, for the log. Nothing else from a rail is logged. */
export const shown = ({ status, body }: OutboundAnswer): string =>
  [status, ...new Set(codesOf(parseFields(body) ?? {}))].join(' ')

/**
 * Converts an amount to a JSON number in major units. It is converted directly from the integer, so that no
 * double is involved.
 */
export function numberOf(amount: bigint, currency: string): number {
  const text = toMajorUnits(amount, currency)
  return JSON.rawJSON(text.includes('.') ? text.replace(/\.?0+$/, '') : text)
}

/** Returns the transaction that a response contains. */
export const transactionIn = (fields: Fields): Fields => fieldsOf(fieldsOf(fields.data).transaction)
