import { toMajorUnits } from '../../../countries/money.ts'
import { type Fields, fieldsOf } from '../../../platform/fields.ts'
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import { parseFields } from '../../rail-responses.ts'
import { codesOf } from './codes.ts'

/** Status and codes of a response for the log; nothing else of what a rail writes goes there. */
export const shown = ({ status, body }: OutboundAnswer): string =>
  [status, ...new Set(codesOf(parseFields(body) ?? {}))].join(' ')

/** An amount as a JSON number of major units, written from the integer: no double comes near it. */
export function numberOf(amount: bigint, currency: string): number {
  const text = toMajorUnits(amount, currency)
  return JSON.rawJSON(text.includes('.') ? text.replace(/\.?0+$/, '') : text)
}

/** What the response says about the transaction. */
export const transactionIn = (fields: Fields): Fields => fieldsOf(fieldsOf(fields.data).transaction)
