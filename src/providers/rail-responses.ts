import { fromMajorUnits } from '../countries/money.ts'
import { type Fields, hasFields } from '../platform/fields.ts'
import type { UnknownOutcome } from './connector.ts'

/** The fields of a response that is a JSON object; `undefined` for any other text. */
export function parseFields(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return hasFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A rail's own number of a transaction, when it has the form of one. */
export function transactionOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\x21-\x7e]{1,64}$/.test(text) ? text : undefined
}

const maxAmountLength = 64 // limit: an amount as a rail writes it

/**
 * Minor units from an amount in major units: decimal text, or a whole JSON number. Zeros beyond the currency's decimals are
 * ignored (`"1500.00"` XOF). `undefined` for everything that is not exactly an amount of that currency.
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

const maxHolderNameLength = 100 // limit: how much is shown of an account holder’s name

/**
 * The name of an account's holder. People see it as it is, without what could mislead them: no control or direction
 * characters, at most 100 characters, and a letter at least.
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
  why: 'not sent: too long after it was decided',
  isTooLate: true,
}
