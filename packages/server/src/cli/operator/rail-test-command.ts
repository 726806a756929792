import type { ConformanceReport } from '@pesewa/connector-kit/conformance'
import { fieldsOf } from '@pesewa/values'
import { type Command, InvalidArgumentError } from 'commander'
import type { RailTestOptions } from './rail-test-actions.ts'

const failedCode = 1
const usageCode = 2

/** Adds `pesewa rail-test`, which tests a rail with the cases that commonly break integrations. */
export function addRailTestCommand(program: Command): void {
  program
    .command('rail-test')
    .description(
      'test a rail with the cases that commonly break integrations: exits with 0 if every applicable case passed, 1 if one failed, 2 if the run could not start or finish; outside a sandbox, real money moves',
    )
    .option('--connection <name>', 'connection in PROVIDERS_FILE')
    .option('--provider <id>', 'provider of the connection (default: the first)')
    .option('--simulated <providerId>', 'provider (such as m17) to test in the running service’s simulator')
    .option('--paying <account>', 'account of a payer who pays immediately')
    .option('--late <account>', 'account of a payer whose payment first fails and later succeeds')
    .option('--amount <amount>', 'amount of each payment, in minor units (default: 100)', amountArgument)
    .option('--yes', 'send payments through --connection; without this option, only print what would be sent')
    .option('--callback-url <url>', 'public URL of the callback receiver', urlArgument)
    .option(
      '--callback-port <port>',
      'local port of the callback receiver (default: any free port)',
      portArgument,
    )
    .option('--out <path>', 'also write the report to <path>.md and <path>.json after each case')
    .option('--json', 'print one JSON object')
    .exitOverride(asUsage)
    .action(async ({ json, ...options }: RailTestOptions & { json?: boolean }) => {
      const { railTest } = await import('./rail-test-actions.ts')
      const { asMarkdown } = await import('@pesewa/connector-kit/conformance')
      const report = await railTest(options).catch(asUsage)
      process.stdout.write(json ? `${JSON.stringify(report)}\n` : asMarkdown(report))
      process.exitCode = exitCodeOf(report)
      const why = report.stopped ?? (report.count.passed + report.count.failed === 0 ? nothingRun : undefined)
      if (why !== undefined) process.stderr.write(`Incomplete run: ${why}.\n`)
    })
}

function exitCodeOf({ ok, count }: ConformanceReport): number {
  if (ok) return 0
  return count.failed > 0 ? failedCode : usageCode
}

const nothingRun = 'no case applies to this rail'

function asUsage(error: Error): never {
  const { exitCode = usageCode } = fieldsOf(error)
  throw Object.assign(error, { exitCode: exitCode && usageCode })
}

function amountArgument(text: string): bigint {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('must be an amount in minor units, such as 100.')
  return BigInt(text)
}

function portArgument(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('must be a port number.')
  return port
}

function urlArgument(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new InvalidArgumentError('must be a URL such as https://host.example.')
  return text
}
