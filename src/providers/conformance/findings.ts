/**
 * What a case found. `concluded` in the connector's words. `not applicable`: it cannot be put to this rail; `not run`: it
 * could, with other options.
 */
export type Finding =
  | { result: 'passed' | 'failed'; did: string; concluded: string; must: string }
  | { result: 'not run' | 'not applicable'; why: string }

export const notRun = (why: string): Finding => ({ result: 'not run', why })
export const notApplicable = (why: string): Finding => ({ result: 'not applicable', why })

type Outcome = { outcome: string; isSecurity?: true }

/** In the order that they came. */
export const wordsOf = (...outcomes: Outcome[]) =>
  outcomes
    .map(({ outcome, isSecurity }) => (isSecurity ? `${outcome}, of security` : outcome))
    .join('; then ')

export const found = (isRight: boolean, did: string, concluded: string, must: string): Finding => ({
  result: isRight ? 'passed' : 'failed',
  did,
  concluded,
  must,
})
