import { toMajorUnits } from '../../../countries/money.ts'
import { type Fields, fieldsOf } from '../../../platform/fields.ts'
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import { parseFields } from '../../rail-responses.ts'
import { codesOf } from './codes.ts'

/** Status and codes of a response, for the log; nothing else from a rail is logged. */
export const shown = ({ status, body }: OutboundAnswer): string =>
  [status, ...new Set(codesOf(parseFields(body) ?? {}))].join(' ')

/** Writes an amount as a JSON number in major units, directly from the integer, so that no double is involved. */
export function numberOf(amount: bigint, currency: string): number {
  const text = toMajorUnits(amount, currency)
  return JSON.rawJSON(text.includes('.') ? text.replace(/\.?0+$/, '') : text)
}

/** The transaction in a response. */
export const transactionIn = (fields: Fields): Fields => fieldsOf(fieldsOf(fields.data).transaction)
