import { fromMajorUnits } from '../../../countries/money.ts'
import { hasFields } from '../../../platform/fields.ts'
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import { parseFields } from '../../rail-responses.ts'

/** MTN's reason from `"EXPIRED"` or `{"code": "EXPIRED", …}`; `undefined` where it does not look like one. */
export function reasonOf(value: unknown): string | undefined {
  const code = hasFields(value) ? value.code : value
  return typeof code === 'string' && /^[A-Z][A-Z_]{1,63}$/.test(code) ? code : undefined
}

/** Status and reason of a response, for the log; nothing else that a rail writes goes there. */
export function shownReason({ status, body }: OutboundAnswer): string {
  return [status, reasonOf(parseFields(body))].filter(Boolean).join(' ')
}

const maxAmountLength = 64 // limit: an amount as MTN writes it

/**
 * Minor units from MTN's amount: decimal text, in some responses a JSON number. Zeros beyond the currency's decimals are
 * ignored (`"1500.00"` XOF). `undefined` for everything that is not exactly an amount of that currency.
 */
export function readAmount(value: unknown, currency: string): bigint | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text.length > maxAmountLength) return undefined
  const [, whole, fraction] = /^([0-9]+)\.([0-9]*?)0+$/.exec(text) ?? []
  const shortest = whole === undefined ? text : fraction ? `${whole}.${fraction}` : whole
  try {
    return fromMajorUnits(shortest, currency)
  } catch {
    return undefined
  }
}

const maxNoteLength = 160 // limit: what MTN shows its customer of a payment

/**
 * What MTN shows to the payer: at most 160 plain characters. It refuses whole requests for an apostrophe, so accents
 * are removed and everything else that is not a letter, digit or simple mark becomes a space.
 */
export function noteOf(description: string): string {
  const plain = description
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9.,:-]+/g, ' ')
  return plain.trim().slice(0, maxNoteLength).trim() || 'Payment'
}
