import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallbackReceiver,
  type ConformanceReport,
  type Finding,
  findRailIssue,
  openTestBench,
  railCases,
  reportOf,
  runCases,
  startReceiver,
  type TestBench,
  type TestedRail,
} from '@pesewa/connector-kit/conformance'
import { fieldsOf, messageOf, wholeNumber } from '@pesewa/values'
import { protocolOf } from '../../rails/connections/protocols.ts'
import { CommandError } from '../command.ts'
import { type ChosenRail, chooseRail, type RailChoice } from './rail-test-choice.ts'
import { describePayments } from './rail-test-notice.ts'
import { writeReport } from './rail-test-report.ts'

export type RailTestOptions = RailChoice & {
  amount?: bigint
  callbackUrl?: string
  callbackPort?: number
  /** Path of the report, without its extension. */
  out?: string
  /** Whether the operator confirms that real payments may be sent through the connection. */
  yes?: boolean
}

const defaultAmount = 100n

/**
 * Runs all test cases on a rail and returns the report.
 *
 * @throws CommandError if the test cannot run
 */
export async function railTest(options: RailTestOptions): Promise<ConformanceReport> {
  const chosen = chooseRail(options)
  const receiver = await openReceiver(options.callbackPort)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  try {
    const stand = await openTestBench(protocolOf(chosen.connection), chosen.connection, chosen.provider, {
      accounts: chosen.accounts,
      amount: options.amount ?? defaultAmount,
      receiver,
      wait: waitingUntil(stopping.signal),
      ...(options.callbackUrl !== undefined && { callbackUrl: options.callbackUrl.replace(/\/$/, '') }),
    })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    try {
      return await runOn(stand, chosen, options, stopping.signal)
    } finally {
      await stand.close()
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    receiver.close()
  }
}

/**
 * Returns a function that waits for a number of milliseconds. If the run is interrupted, the wait never
 * settles, so the test case neither continues nor fails.
 */
const waitingUntil = (signal: AbortSignal) => (ms: number) =>
  sleep(ms, undefined, { signal }).catch(() => new Promise<never>(() => {}))

async function runOn(
  stand: TestBench,
  chosen: ChosenRail,
  { connection: name, out, yes }: RailTestOptions,
  signal: AbortSignal,
): Promise<ConformanceReport> {
  const { provider, connection } = chosen
  const isSimulated = name === undefined
  const notice = isSimulated ? '' : describePayments(name, chosen, stand)
  if (!isSimulated && !yes)
    throw new CommandError(`${notice}Nothing was sent. To send these payments, add --yes.`)
  const rail: TestedRail = {
    rail: name ?? 'the simulator',
    provider: provider.providerId,
    protocol: connection.protocol,
    amount: wholeNumber(stand.amount),
    currency: stand.currency,
  }
  const write = (report: ConformanceReport) => out !== undefined && writeReport(out, report)
  // Writes the report before any payment, because a run is useless if its report cannot be written.
  write(
    reportOf(
      rail,
      railCases.map((each) => each.name),
      new Map(),
      { stopped: 'the run stopped before its first case', submitted: [] },
    ),
  )
  const fault = await reasonNotToRun(chosen, stand)
  if (fault) throw new CommandError(fault)
  say(
    `${notice}Running ${railCases.length} cases; this takes a minute or two. Ctrl-C stops the run and leaves a partial report.\n`,
  )
  const report = await runCases(stand, rail, {
    isAtOnce: isSimulated,
    signal,
    onEnd(each, finding, soFar) {
      write(soFar)
      say(`  ${formatResult(each, finding)}\n`)
    },
  })
  write(report)
  return report
}

/** Returns the reason that the rail cannot be tested, or `undefined` if it can. */
async function reasonNotToRun(
  { connection, simulatorUrl }: ChosenRail,
  stand: TestBench,
): Promise<string | undefined> {
  const fault = await findRailIssue(connection, stand)
  if (fault !== undefined || simulatorUrl === undefined) return fault
  const { ok } = await fetch(simulatorUrl)
  return ok ? undefined : `There is no simulator at ${simulatorUrl}: SIMULATOR is off on that node.`
}

/** Writes progress to standard error, because a program may read the report from standard output. */
const say = (text: string) => void process.stderr.write(text)

const formatResult = (name: string, finding: Finding) =>
  'why' in finding ? `${name}: ${finding.result}, ${finding.why}` : `${name}: ${finding.result}`

async function openReceiver(port = 0): Promise<CallbackReceiver> {
  try {
    return await startReceiver(port)
  } catch (error) {
    const reason =
      fieldsOf(error).code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${messageOf(error)})`
    throw new CommandError(`Port ${port} ${reason}: choose another with --callback-port.`)
  }
}
