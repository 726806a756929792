import type { FailureCode } from './connector.ts'

/** The reason that money was not moved: a code for programs and a sentence for people. */
export type Failure = { code: FailureCode; message: string }

/**
 * Maps a rail's failure codes to ours. The rail's own text is never passed on, because its content cannot be
 * trusted.
 */
export type Failures = {
  /** Returns the reason for a failure that the rail reports as final. */
  failureOf(word: unknown): Failure
  /**
   * Returns the reason that a submit was refused, or `undefined` if the code does not prove that nothing was
   * started.
   */
  refusalOf(word: unknown): Failure | undefined
}

type ByWord = Readonly<Record<string, Failure>>

/**
 * Creates the mapping. `atSubmit` contains the codes that the rail returns before it starts anything, and
 * `later` the codes that occur only in outcomes. `other` is the failure for any other code.
 */
export function createFailures(reasons: { atSubmit: ByWord; later: ByWord; other: Failure }): Failures {
  const named = (words: ByWord, word: unknown) =>
    typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined
  const { atSubmit, later, other } = reasons
  return {
    failureOf: (word) => named(atSubmit, word) ?? named(later, word) ?? other,
    refusalOf: (word) => named(atSubmit, word),
  }
}

export const failure = (code: FailureCode, message: string): Failure => ({ code, message })
