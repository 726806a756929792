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
 * The result of a case. `concluded`: what the connector reported. `not applicable`: the case does not apply to
 * this rail. `not run`: the case did not run, but could in another run.
 */
export type Finding = Static<typeof finding>

/** A finding with the name of its case, as it appears in a report. */
export const namedFinding = Type.Union([
  Type.Object({ name, ...judged }, strict),
  Type.Object({ name, ...leftOut }, strict),
])

export const notRun = (why: string): Finding => ({ result: 'not run', why })
export const notApplicable = (why: string): Finding => ({ result: 'not applicable', why })

export const noReader = 'the connector reads no reports; outcomes come only from queries'
export const noReport =
  'no report arrived: the rail sends none, cannot reach the receiver, or is waiting for a person on its page'
export const noPerson = 'the payment does not complete without a person on the rail’s page'

type Outcome = { outcome: string; isSecurity?: true; code?: string; message?: string; why?: string }

/**
 * Describes outcomes in the given order. If the rail refused or its response was ambiguous, the reason that the
 * connector gave is included.
 */
export const describeOutcomes = (...outcomes: Outcome[]) => outcomes.map(wordOf).join('; then ')

function wordOf({ outcome, isSecurity, code, message, why }: Outcome): string {
  const reason = [code, message, why].filter((each) => each !== undefined && each !== '').join(': ')
  const word = isSecurity ? `${outcome}, security issue` : outcome
  return reason === '' ? word : `${word} (${reason.slice(0, maxReasonLength)})`
}

const maxReasonLength = 120 // maximum length of the rail's own text in a report from `pesewa rail-test`

export const found = (isRight: boolean, did: string, concluded: string, must: string): Finding => ({
  result: isRight ? 'passed' : 'failed',
  did,
  concluded,
  must,
})

export const describeAuthenticity = ({ isAuthentic }: { isAuthentic: boolean }) =>
  isAuthentic ? 'authentic' : 'not authentic'
