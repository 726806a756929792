/** What a case found. `concluded` in the connector's words; a case that is not run says why. */
export type Finding =
  | { result: 'passed' | 'failed'; did: string; concluded: string; must: string }
  | { result: 'not run'; why: string }

export const notRun = (why: string): Finding => ({ result: 'not run', why })

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
