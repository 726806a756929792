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
