/**
 * A value that is there because of something the types cannot say, which `what` names: the row of an id that was just
 * written, the answer to each of several questions. Where it is missing all the same, that is a bug and throws.
 */
export function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`there is no ${what}`)
  return value
}
