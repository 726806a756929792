/**
 * A value that is there for a reason that types cannot express: the row of an id that was just written, the answer to
 * each of several questions. Where it is missing all the same, that is a bug and throws.
 */
export function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`there is no ${what}`)
  return value
}

/** The one element of a list that has one. */
export const only = <T>([one]: readonly T[]): T => must(one, 'answer')
