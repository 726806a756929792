/**
 * Asserts that a value is present although its type does not guarantee this, such as the row for an id that was
 * just inserted. A missing value is a bug, so an error is thrown.
 */
export function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`missing ${what}`)
  return value
}

/** Returns the only element of a list that has exactly one. */
export const only = <T>([one]: readonly T[]): T => must(one, 'answer')
