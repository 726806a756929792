import type { FailureCode } from './connector.ts'

/** Why money did not move: the code that a program reads and the sentence that people read. */
export type Failure = { code: FailureCode; message: string }

/** A rail's words for failures, in ours. What the rail writes for people is never passed on: it may hold anything. */
export type Failures = {
  /** What something that the rail calls failed, failed of; `unknown` is the code of a word that says nothing. */
  failureOf(word: unknown): Failure
  /** What a submit was refused for, or `undefined` when the word does not prove that nothing was begun. */
  refusalOf(word: unknown): Failure | undefined
}

/**
 * @param reasons by the rail's words
 * @param atSubmit those that the rail says before it begins; the others belong to an end
 * @param other for every other word
 */
export function createFailures(
  reasons: Readonly<Record<string, Failure>>,
  atSubmit: readonly string[],
  other: Failure,
): Failures {
  const named = (word: unknown) =>
    typeof word === 'string' && Object.hasOwn(reasons, word) ? reasons[word] : undefined
  return {
    failureOf: (word) => named(word) ?? other,
    refusalOf: (word) => (atSubmit.some((each) => each === word) ? named(word) : undefined),
  }
}

export function failure(code: FailureCode, message: string): Failure {
  return { code, message }
}
