import { hasFields } from '../../../platform/fields.ts'
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import { parseFields } from '../../rail-responses.ts'

/**
 * Reads MTN's reason from `"EXPIRED"` or `{"code": "EXPIRED", …}`; returns `undefined` if it does not look like
 * one.
 */
export function reasonOf(value: unknown): string | undefined {
  const code = hasFields(value) ? value.code : value
  return typeof code === 'string' && /^[A-Z][A-Z_]{1,63}$/.test(code) ? code : undefined
}

/** Status and reason of a response, for the log; nothing else from a rail is logged. */
export function shownReason({ status, body }: OutboundAnswer): string {
  return [status, reasonOf(parseFields(body))].filter(Boolean).join(' ')
}

const maxNoteLength = 160 // length of the text that MTN shows about a payment

/**
 * Formats the text that MTN shows to the payer: at most 160 plain characters. MTN refuses a whole request if it
 * contains an apostrophe, so accents are removed and anything but letters, digits and simple punctuation
 * becomes a space.
 */
export function noteOf(description: string): string {
  const plain = description
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9.,:-]+/g, ' ')
  return plain.trim().slice(0, maxNoteLength).trim() || 'Payment'
}
