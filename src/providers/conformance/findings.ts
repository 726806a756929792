import Type, { type Static } from 'typebox'

const strict = { additionalProperties: false } as const

const judged = {
  result: Type.Enum(['passed', 'failed']),
  did: Type.String(),
  concluded: Type.String(),
  must: Type.String(),
}
const leftOut = { result: Type.Enum(['not run', 'not applicable']), why: Type.String() }
const name = Type.String()

const finding = Type.Union([Type.Object(judged, strict), Type.Object(leftOut, strict)])

/**
 * What a case found. `concluded` in the connector's words. `not applicable`: it cannot be put to this rail; `not run`: it
 * could, in another run.
 */
export type Finding = Static<typeof finding>

/** A finding as a report has it. */
export const namedFinding = Type.Union([
  Type.Object({ name, ...judged }, strict),
  Type.Object({ name, ...leftOut }, strict),
])

export const notRun = (why: string): Finding => ({ result: 'not run', why })
export const notApplicable = (why: string): Finding => ({ result: 'not applicable', why })

export const noReader = 'the connector reads no reports: outcomes come from queries only'
export const noReport =
  'no report came: the rail sends none, cannot reach the receiver, or waits for a person at its page'
export const noPerson = 'the payment does not complete without a person at the rail’s page'

type Outcome = { outcome: string; isSecurity?: true; code?: string; message?: string; why?: string }

/** In the order that they came, with the rail's own words where it refused, or was not clear. */
export const wordsOf = (...outcomes: Outcome[]) => outcomes.map(wordOf).join('; then ')

function wordOf({ outcome, isSecurity, code, message, why }: Outcome): string {
  const reason = [code, message, why].filter((each) => each !== undefined && each !== '').join(': ')
  const word = isSecurity ? `${outcome}, of security` : outcome
  return reason === '' ? word : `${word} (${reason.slice(0, maxReasonLength)})`
}

const maxReasonLength = 120 // limit: the rail's own words in a report of `pesewa rail-test`

export const found = (isRight: boolean, did: string, concluded: string, must: string): Finding => ({
  result: isRight ? 'passed' : 'failed',
  did,
  concluded,
  must,
})

export const isProven = ({ isAuthentic }: { isAuthentic: boolean }) =>
  isAuthentic ? 'authentic' : 'not authentic'
