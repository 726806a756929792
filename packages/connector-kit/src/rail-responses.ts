import { type Fields, fromMajorUnits, hasFields } from '@pesewa/values'
import type { UnknownOutcome } from './connector.ts'

/** Parses a response body as a JSON object; returns `undefined` for anything else. */
export function parseFields(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return hasFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns a rail's transaction id if it is well-formed; otherwise `undefined`. */
export function transactionOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\x21-\x7e]{1,64}$/.test(text) ? text : undefined
}

const maxAmountLength = 64 // maximum length of an amount in a rail's response

/**
 * Converts an amount in major units, which is a decimal number as text or a whole JSON number, to minor units.
 * Ignores zeros beyond the currency's decimals (`"1500.00"` XOF). Returns `undefined` if the value is not an
 * amount or is not a whole number of minor units.
 */
export function majorAmountOf(value: unknown, currency: string): bigint | undefined {
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

const maxHolderNameLength = 100 // maximum number of characters of an account holder’s name that are shown

/**
 * Cleans an account holder's name, which people read when they decide whether to pay: removes control and
 * direction characters, and truncates the name to 100 characters. Returns `undefined` if the name does not
 * contain a letter.
 */
export function holderNameOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  return /\p{L}/u.test(name) ? [...name].slice(0, maxHolderNameLength).join('').trim() : undefined
}

export const unknown = (why: string): UnknownOutcome => ({ outcome: 'unknown', why })

export const tooLate: UnknownOutcome = {
  outcome: 'unknown',
  why: 'not sent: the time limit for sending had passed',
  isTooLate: true,
}
