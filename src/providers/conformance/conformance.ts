import * as answers from './answer-cases.ts'
import { type Finding, notApplicable, notRun } from './findings.ts'
import * as reports from './report-cases.ts'
import type { NamedAccounts, Stand } from './stand.ts'

type RailCase = {
  name: string
  needs: keyof NamedAccounts
  run(stand: Stand, account: string): Promise<Finding>
}

/** What breaks integrations. */
export const railCases: readonly RailCase[] = [
  { name: 'lost answer', needs: 'paying', run: answers.lostAnswer },
  { name: 'repeated submit', needs: 'paying', run: answers.repeatedSubmit },
  { name: 'late success', needs: 'late', run: reports.lateSuccess },
  { name: 'callback before answer', needs: 'paying', run: reports.callbackBeforeAnswer },
  { name: 'callback never', needs: 'paying', run: reports.callbackNever },
  { name: 'wrong amount', needs: 'paying', run: answers.wrongAmount },
  { name: 'doubled callback', needs: 'paying', run: reports.doubledCallback },
  { name: 'missing then found', needs: 'paying', run: answers.missingThenFound },
  { name: 'another revision', needs: 'paying', run: answers.anotherRevision },
  { name: 'slow', needs: 'paying', run: answers.slow },
  { name: 'garbage', needs: 'paying', run: answers.garbage },
  { name: 'redirect elsewhere', needs: 'paying', run: answers.redirectElsewhere },
  { name: 'clock skew', needs: 'paying', run: reports.clockSkew },
  { name: 'unauthentic callback', needs: 'paying', run: reports.unauthenticCallback },
]

export type ConformanceReport = {
  /** The connection, or the provider that the simulator plays. */
  rail: string
  protocol: string
  ok: boolean
  cases: ({ name: string } & Finding)[]
}

/** Runs every case, one after the other. */
export async function runCases(
  stand: Stand,
  rail: Pick<ConformanceReport, 'rail' | 'protocol'>,
): Promise<ConformanceReport> {
  const cases: ConformanceReport['cases'] = []
  for (const { name, needs, run } of railCases) {
    cases.push({ name, ...(await findingOf(stand, { name, needs, run })) })
  }
  return { ...rail, ok: cases.every(({ result }) => result !== 'failed'), cases }
}

function findingOf(stand: Stand, { name, needs, run }: RailCase): Finding | Promise<Finding> {
  const why = stand.conformance.notApplicable?.[name]
  if (why !== undefined) return notApplicable(why)
  const account = stand.accounts[needs]
  return account === undefined ? notRun(`no account named: --${needs}`) : run(stand, account)
}

/** The report for people. */
export const asMarkdown = ({ rail, protocol, cases }: ConformanceReport): string =>
  [
    `# Conformance of ${rail} (${protocol})`,
    '',
    'Run against the connector alone: what the service makes of its conclusions is not part of this run.',
    '',
    '| case | result | what was done | what the connector concluded | what it must conclude |',
    '|---|---|---|---|---|',
    ...cases.map((each) =>
      'why' in each
        ? `| ${each.name} | ${each.result}: ${each.why} | | | |`
        : `| ${each.name} | ${each.result} | ${each.did} | ${each.concluded} | ${each.must} |`,
    ),
    '',
  ].join('\n')
