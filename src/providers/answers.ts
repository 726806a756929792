import type { Unknown } from './connector.ts'

/** The fields of an answer that is a JSON object; `undefined` for any other text. */
export function fieldsOf(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A rail's own number of a transaction, when it has the form of one. */
export function transactionOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\x21-\x7e]{1,64}$/.test(text) ? text : undefined
}

export const unknown = (why: string): Unknown => ({ outcome: 'unknown', why })
