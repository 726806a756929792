import * as answers from './answer-cases.ts'
import { type Finding, notApplicable, notRun } from './findings.ts'
import * as money from './money-cases.ts'
import * as proofs from './proof-cases.ts'
import { type ConformanceReport, reportOf, type TestedRail } from './report.ts'
import * as reports from './report-cases.ts'
import type { NamedAccounts, TestBench } from './test-bench.ts'

type RailCase = {
  name: string
  needs: keyof NamedAccounts
  /** The maximum number of payments that the case submits to the rail. */
  payments: number
  run(stand: TestBench, account: string | null): Promise<Finding>
}

/**
 * The test cases, in the order in which they run. They cover the situations in which integrations commonly
 * fail.
 */
export const railCases: readonly RailCase[] = [
  { name: 'wrong amount', needs: 'paying', payments: 1, run: money.wrongAmount },
  { name: 'repeated submit', needs: 'paying', payments: 2, run: money.repeatedSubmit },
  { name: 'commit before answer', needs: 'paying', payments: 1, run: reports.commitBeforeAnswer },
  { name: 'lost answer', needs: 'paying', payments: 1, run: answers.lostAnswer },
  { name: 'late success', needs: 'late', payments: 1, run: reports.lateSuccess },
  { name: 'callback before answer', needs: 'paying', payments: 1, run: reports.callbackBeforeAnswer },
  { name: 'callback never', needs: 'paying', payments: 1, run: reports.callbackNever },
  { name: 'genuine callback', needs: 'paying', payments: 1, run: proofs.genuineCallback },
  { name: 'doubled callback', needs: 'paying', payments: 1, run: proofs.doubledCallback },
  { name: 'missing then found', needs: 'paying', payments: 1, run: answers.missingThenFound },
  { name: 'another revision', needs: 'paying', payments: 0, run: answers.anotherRevision },
  { name: 'slow', needs: 'paying', payments: 1, run: answers.slow },
  { name: 'garbage', needs: 'paying', payments: 0, run: answers.garbage },
  { name: 'redirect elsewhere', needs: 'paying', payments: 2, run: answers.redirectElsewhere },
  // These two cases use the report that the case "genuine callback" received. If that case was not run, they
  // submit a payment to get a report.
  { name: 'clock skew', needs: 'paying', payments: 0, run: proofs.clockSkew },
  { name: 'unauthentic callback', needs: 'paying', payments: 0, run: proofs.unauthenticCallback },
]

/** Returns the maximum number of payments that a run submits from an account. */
export const paymentsFrom = (account: keyof NamedAccounts) =>
  railCases.reduce((sum, { needs, payments }) => (needs === account ? sum + payments : sum), 0)

type RunOptions = {
  /**
   * Set to run all cases except the first concurrently, for rails that accept several payments from one payer
   * at a time.
   */
  isAtOnce?: boolean
  signal?: AbortSignal
  onBegin?(name: string): void
  /**
   * Called when a case has ended.
   *
   * @param soFar the report as it would be if the run ended now
   */
  onEnd?(name: string, finding: Finding, soFar: ConformanceReport): void
}

const interrupted = 'the run was interrupted'

/** Runs every case. The first case runs alone, because it may stop the run. */
export async function runCases(
  stand: TestBench,
  rail: TestedRail,
  { isAtOnce = false, signal, onBegin, onEnd }: RunOptions = {},
): Promise<ConformanceReport> {
  const findings = new Map<string, Finding>()
  // If the run is aborted, the findings of cases that are still running are ignored.
  const aborted = new Promise<undefined>((resolve) =>
    signal?.addEventListener('abort', () => resolve(undefined), { once: true }),
  )
  const report = (stopped: string | null) =>
    reportOf(
      rail,
      railCases.map(({ name }) => name),
      findings,
      { stopped, submitted: [...stand.seen.submitted].filter((each) => stand.proxy.hasForwarded(each)) },
    )
  const run = async (each: RailCase) => {
    onBegin?.(each.name)
    const finding = await Promise.race([findingOf(stand, each), aborted])
    if (!finding) return
    findings.set(each.name, finding)
    onEnd?.(each.name, finding, report(interrupted))
  }
  for (const group of groupsOf(isAtOnce)) {
    if (signal?.aborted || stand.seen.stop !== undefined) break
    await Promise.all(group.map(run))
  }
  return report(signal?.aborted ? interrupted : (stand.seen.stop ?? null))
}

function groupsOf(isAtOnce: boolean): RailCase[][] {
  const [first, ...others] = railCases.map((each) => [each])
  return isAtOnce && first ? [first, others.flat()] : railCases.map((each) => [each])
}

function findingOf(stand: TestBench, { name, needs, run }: RailCase): Finding | Promise<Finding> {
  const why = stand.conformance.notApplicable?.[name]
  if (why !== undefined) return notApplicable(why)
  const account = stand.accounts[needs]
  return account === undefined ? notRun(`no account was given with --${needs}`) : run(stand, account)
}
