import { type Command, InvalidArgumentError } from 'commander'
import { fieldsOf } from '../../platform/fields.ts'
import type { ConformanceReport } from '../../providers/conformance/report.ts'
import type { RailTestOptions } from './rail-test-actions.ts'

const failedCode = 1
const usageCode = 2

/** `pesewa rail-test` */
export function addRailTestCommand(program: Command): void {
  program
    .command('rail-test')
    .description(
      'run the cases that break integrations against a rail: exits with 0 if all passed that could be put to it, 1 if one failed, 2 if it could not run, or not to its end; on a rail that is no sandbox real money moves',
    )
    .option('--connection <name>', 'of PROVIDERS_FILE')
    .option('--provider <id>', 'which of the connection’s providers; as a rule the first')
    .option('--simulated <providerId>', 'as the simulator of the running service plays it, like m17')
    .option('--paying <account>', 'of a payer who pays at once')
    .option('--late <account>', 'of a payer whose payment fails first and succeeds later')
    .option('--amount <amount>', 'of each payment, in minor units (default: 100)', amountArgument)
    .option(
      '--yes',
      'send payments by the --connection: without it, what would be sent is said and nothing is',
    )
    .option('--callback-url <url>', 'under which the rail reaches the receiver', urlArgument)
    .option('--callback-port <port>', 'of the receiver on loopback (default: one that is free)', portArgument)
    .option('--out <path>', 'write the report to <path>.md and <path>.json too, after each case')
    .option('--json', 'print one JSON object')
    .exitOverride(asUsage)
    .action(async ({ json, ...options }: RailTestOptions & { json?: boolean }) => {
      const { railTest } = await import('./rail-test-actions.ts')
      const { asMarkdown } = await import('../../providers/conformance/report.ts')
      const report = await railTest(options).catch(asUsage)
      process.stdout.write(json ? `${JSON.stringify(report)}\n` : asMarkdown(report))
      process.exitCode = exitCodeOf(report)
      const why = report.stopped ?? (report.count.passed + report.count.failed === 0 ? nothingRun : undefined)
      if (why !== undefined) process.stderr.write(`Not run to its end: ${why}.\n`)
    })
}

function exitCodeOf({ ok, count }: ConformanceReport): number {
  if (ok) return 0
  return count.failed > 0 ? failedCode : usageCode
}

const nothingRun = 'no case could be put to the rail'

function asUsage(error: Error): never {
  const { exitCode = usageCode } = fieldsOf(error)
  throw Object.assign(error, { exitCode: exitCode && usageCode })
}

function amountArgument(text: string): bigint {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be minor units, like 100.')
  return BigInt(text)
}

function portArgument(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('must be a port.')
  return port
}

function urlArgument(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new InvalidArgumentError('must be an address like https://host.example.')
  return text
}
