import { type Fields, fromMajorUnits, hasFields } from '@pesewa/values'
import {
  cardSchemes,
  type PaidCard,
  type RailReport,
  type UnknownOutcome,
  type Verdict,
} from './connector.ts'

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

/** Money as read from a rail's message, as far as it is readable. */
type ReadMoney = { amount?: bigint | undefined; currency?: string | undefined }

/** Reads an amount in major units and its currency. */
export function moneyIn({ amount, currency }: Fields): ReadMoney {
  if (typeof currency !== 'string') return {}
  return { amount: majorAmountOf(amount, currency), currency }
}

/**
 * Returns the outcome of a completed request, or `undefined` if its money could not be read. `id` is the rail's
 * id of the transaction.
 */
export function doneWith(money: ReadMoney | undefined, id: unknown, card?: PaidCard): Verdict | undefined {
  const { amount, currency } = money ?? {}
  if (amount === undefined || currency === undefined) return undefined
  return { outcome: 'done', amount, currency, railTransaction: transactionOf(id), ...(card && { card }) }
}

/**
 * Reads the card that was used to pay; returns `undefined` if any of it is malformed. A token that could be a
 * card number is rejected, regardless of what the rail calls it.
 */
export function cardOf({ scheme: named, last4, token }: Fields): PaidCard | undefined {
  const scheme = cardSchemes.find((name) => name === named)
  if (!scheme || typeof last4 !== 'string' || !/^[0-9]{4}$/.test(last4)) return undefined
  const isToken = typeof token === 'string' && /^[\x21-\x7e]{8,128}$/.test(token) && !/[0-9]{13}/.test(token)
  return isToken ? { scheme, last4, token } : undefined
}

/** Returns the report in an unsigned callback, which therefore only triggers a query. */
export const hintOf = (reference: unknown, fields: Fields): RailReport => ({
  isAuthentic: false,
  isHint: true,
  reference: typeof reference === 'string' ? reference : undefined,
  ...moneyIn(fields),
})

const maxHolderNameLength = 100 // maximum number of characters of an account holder’s name that are shown

/**
 * Cleans an account holder's name, which people read when they decide whether to pay: removes control and
 * direction characters, and truncates the name to 100 characters. Returns `undefined` if the name does not
 * contain a letter.
 *
 * @param parts the parts of the name; those that are not text are left out
 */
export function holderNameOf(...parts: unknown[]): string | undefined {
  const name = parts
    .filter((part) => typeof part === 'string')
    .join(' ')
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
