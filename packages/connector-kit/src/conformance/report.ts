import { formatMoney } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import { type Finding, namedFinding, notRun } from './findings.ts'

const strict = { additionalProperties: false } as const

const results = ['passed', 'failed', 'not run', 'not applicable'] as const

/** The JSON that `pesewa rail-test` writes. */
export const conformanceReport = Type.Object(
  {
    /** The name of the connection, or `simulated`. */
    rail: Type.String(),
    provider: Type.String(),
    protocol: Type.String(),
    /** The amount of each payment, in minor units. */
    amount: Type.Integer(),
    currency: Type.String(),
    /** True if the run reached all cases, none of them failed and at least one passed. */
    ok: Type.Boolean(),
    /** The reason that the run ended early, or null if it did not. */
    stopped: Type.Union([Type.String(), Type.Null()]),
    count: Type.Object(
      {
        passed: Type.Integer(),
        failed: Type.Integer(),
        'not run': Type.Integer(),
        'not applicable': Type.Integer(),
      },
      strict,
    ),
    /** Our references for payments that may have reached the rail. */
    submitted: Type.Array(Type.String()),
    cases: Type.Array(namedFinding),
  },
  strict,
)
export type ConformanceReport = Static<typeof conformanceReport>

export type TestedRail = Pick<ConformanceReport, 'rail' | 'provider' | 'protocol' | 'amount' | 'currency'>

/**
 * Builds the report of a run.
 *
 * @param stopped the reason that some cases have no finding, or null if all of them have one
 */
export function reportOf(
  rail: TestedRail,
  names: readonly string[],
  findings: ReadonlyMap<string, Finding>,
  { stopped, submitted }: Pick<ConformanceReport, 'stopped' | 'submitted'>,
): ConformanceReport {
  const cases = names.map((name) => ({ name, ...(findings.get(name) ?? notRun(stopped ?? '')) }))
  const [passed = 0, failed = 0, left = 0, without = 0] = results.map(
    (result) => cases.filter((each) => each.result === result).length,
  )
  const count = { passed, failed, 'not run': left, 'not applicable': without }
  return { ...rail, ok: stopped === null && failed === 0 && passed > 0, stopped, count, submitted, cases }
}

/** Formats the report as Markdown. */
export const asMarkdown = (report: ConformanceReport): string =>
  [
    `# Conformance of ${report.rail} to ${report.provider} (${report.protocol})`,
    '',
    ...(report.stopped === null ? [] : [`**This report is partial**: ${cell(report.stopped)}.`, '']),
    `${sumOf(report)}.`,
    '',
    'Tests the connector alone; how the service handles its results is not part of this run.',
    '',
    '| case | result | what was done | what the connector concluded | what it must conclude |',
    '|---|---|---|---|---|',
    ...report.cases.map(({ name, ...finding }) => rowOf(name, finding)),
    '',
    ...submittedIn(report),
  ].join('\n')

const sumOf = ({ count }: ConformanceReport) =>
  results.map((result) => `${count[result]} ${result}`).join(', ')

const rowOf = (name: string, finding: Finding) =>
  'why' in finding
    ? `| ${name} | ${finding.result}: ${cell(finding.why)} | | | |`
    : `| ${name} | ${finding.result} | ${[finding.did, finding.concluded, finding.must].map(cell).join(' | ')} |`

/** Escapes the text of a table cell, because it may contain text from the rail. */
const cell = (text: string) =>
  text
    .replace(/\p{C}+/gu, ' ')
    .replaceAll(/[\\|<>`*_[\]]/g, '\\$&')
    .trim()

const submittedIn = ({ submitted, amount, currency }: ConformanceReport) =>
  submitted.length === 0
    ? []
    : [
        `Submitted ${submitted.length} payments of ${formatMoney({ currency, value: BigInt(amount) })} with our references:`,
        '',
        ...submitted.map((reference) => `- ${reference}`),
        '',
      ]
