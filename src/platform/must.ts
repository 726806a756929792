/**
 * Asserts that a value is present for a reason that types cannot express: the row of an id just inserted, one
 * answer per question. If it is missing, that is a bug, and it throws.
 */
export function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`missing ${what}`)
  return value
}

/** Returns the only element of a list that has exactly one. */
export const only = <T>([one]: readonly T[]): T => must(one, 'answer')
