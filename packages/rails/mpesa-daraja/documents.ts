import {
  majorAmountOf,
  type OutboundAnswer,
  parseFields,
  plainTextOf,
  transactionOf,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'

export const currency = 'KES'

const nairobiAheadMs = 3 * 3_600_000

/** Returns the current time in Nairobi, which has no daylight saving time, in the format `YYYYMMDDHHmmss`. */
export const nairobiNow = (): string =>
  new Date(Date.now() + nairobiAheadMs)
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 14)

/** Formats a time in Nairobi with separators: `2026-11-23 14:05:00`. */
export const timeInNairobi = (at: Date): string =>
  new Date(at.getTime() + nairobiAheadMs).toISOString().slice(0, 19).replace('T', ' ')

/**
 * Parses a time in Nairobi, with or without separators, or a time marked as UTC; returns `undefined` for
 * anything else.
 */
export function momentInNairobi(time: unknown): Date | undefined {
  const text = typeof time === 'number' ? String(time) : time
  if (typeof text !== 'string') return undefined
  const [, ...parts] = /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d):?(\d\d)(Z?)$/.exec(text) ?? []
  const [year, month, day, hour, minute, second, zone] = parts
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone || '+03:00'}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

/**
 * Converts an amount to whole shillings. Returns `undefined` for an amount with cents, which M-Pesa cannot
 * move.
 */
export const shillingsOf = (amount: bigint): bigint | undefined =>
  amount % 100n === 0n ? amount / 100n : undefined

/**
 * Removes everything except letters, digits and simple punctuation from a description that the other party
 * sees.
 */
export function plainText(description: string, maxLength: number, otherwise: string): string {
  const text = plainTextOf(description, maxLength)
  return text.length > 1 ? text : otherwise
}

/**
 * Reads a code such as `500.001.1001` or `0` from a text or a number; returns `undefined` for anything that
 * does not look like a code.
 */
export function codeOf(value: unknown): string | undefined {
  const code = typeof value === 'number' ? String(value) : value
  return typeof code === 'string' && /^[0-9A-Za-z_.]{1,20}$/.test(code) ? code : undefined
}

/**
 * Returns the code and text of a refusal. Some codes have several meanings that can be told apart only by the
 * text.
 */
export function errorOf({ body }: OutboundAnswer): { code: string | undefined; text: string } {
  const { errorCode, errorMessage } = parseFields(body) ?? {}
  return { code: codeOf(errorCode), text: typeof errorMessage === 'string' ? errorMessage : '' }
}

/** Returns whether a response is a refusal. The code of a refusal begins with the HTTP status. */
export const isRefusal = (response: OutboundAnswer): boolean =>
  errorOf(response).code?.startsWith(`${response.status}.`) === true

/** Returns the status and code of a response, for the log. Nothing else from a rail is logged. */
export const shownError = (response: OutboundAnswer): string =>
  [response.status, shownCode(errorOf(response).code)].filter(Boolean).join(' ')

/**
 * Returns the code if it has Safaricom's format, such as `500.001.1001`, `1032` or `SFC_IC0003`. Anything else
 * might be one of our secrets echoed back.
 */
export const shownCode = (code: string | undefined): string | undefined =>
  code && /^(?:[0-9]{3}(?:\.[0-9]{2,4}){1,3}|[0-9]{1,4}|SFC_IC[0-9]{4}|R[0-9]{6})$/.test(code)
    ? code
    : undefined

/** Reads Safaricom's id for a request or transaction. */
export const idOf = (value: unknown) => transactionOf(value)

/** Reads an amount that a report contains as a number or text; returns minor units. */
export const statedAmount = (value: unknown): bigint | undefined =>
  majorAmountOf(typeof value === 'number' ? String(value) : value, currency)

/**
 * Reads the named values in a report: `Item` with `Name` or `ResultParameter` with `Key`, as a list or a single
 * object. A name with two different values is left out.
 */
export function namedValues(list: unknown, name: 'Name' | 'Key'): Fields {
  const values = new Map<string, unknown>()
  for (const entry of Array.isArray(list) ? list : [list]) {
    const { [name]: key, Value } = fieldsOf(entry)
    if (typeof key !== 'string') continue
    values.set(key, values.has(key) && values.get(key) !== Value ? undefined : Value)
  }
  return Object.fromEntries(values)
}
