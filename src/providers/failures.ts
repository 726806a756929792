import type { FailureCode } from './connector.ts'

/** Why money did not move: the code that a program reads and the sentence that people read. */
export type Failure = { code: FailureCode; message: string }

/** A rail's codes for failures, in ours. What the rail writes for people is never passed on: it may contain anything. */
export type Failures = {
  /** Why something failed that the rail calls failed. */
  failureOf(word: unknown): Failure
  /** Why a submit was refused; `undefined` where the word does not prove that nothing was begun. */
  refusalOf(word: unknown): Failure | undefined
}

type ByWord = Readonly<Record<string, Failure>>

/** `atSubmit`: the rail's words before it begins anything; `later`: those of outcomes only; `other`: for any other word. */
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
