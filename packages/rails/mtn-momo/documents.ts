import { type OutboundAnswer, parseFields, plainTextOf } from '@pesewa/connector-kit'
import { hasFields } from '@pesewa/values'

/**
 * Reads MTN's reason from `"EXPIRED"` or `{"code": "EXPIRED", …}`; returns `undefined` for anything that does
 * not look like a reason.
 */
export function reasonOf(value: unknown): string | undefined {
  const code = hasFields(value) ? value.code : value
  return typeof code === 'string' && /^[A-Z][A-Z_]{1,63}$/.test(code) ? code : undefined
}

/** Returns the status and reason of a response, for the log. Nothing else from a rail is logged. */
export function shownReason({ status, body }: OutboundAnswer): string {
  return [status, reasonOf(parseFields(body))].filter(Boolean).join(' ')
}

const maxNoteLength = 160 // maximum length of the text that MTN shows with a payment

/**
 * Formats the text that MTN shows to the payer, with at most 160 plain characters. MTN refuses the entire
 * request if the text contains an apostrophe.
 */
export const noteOf = (description: string) => plainTextOf(description, maxNoteLength) || 'Payment'
