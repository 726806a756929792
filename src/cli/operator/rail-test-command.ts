import { writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { fieldsOf } from '../../platform/fields.ts'
import type { RailTestOptions } from './rail-test-actions.ts'

// 1 says that a case failed.
const usageCode = 2

/** `pesewa rail-test` */
export function addRailTestCommand(program: Command): void {
  program
    .command('rail-test')
    .description(
      'run the 14 cases that break integrations against a rail: exits with 0 if all passed that were run, 1 if one failed, 2 if it could not run; with a live rail real money moves',
    )
    .option('--connection <name>', 'of PROVIDERS_FILE')
    .option('--provider <id>', 'which of the connection’s providers; as a rule the first')
    .option('--simulated <providerId>', 'as the simulator of the running service plays it, like m17')
    .option('--paying <account>', 'of a payer who pays at once')
    .option('--late <account>', 'of a payer whose payment fails first and succeeds later')
    .option('--amount <amount>', 'of each payment, in minor units (default: 100)', amountArgument)
    .option('--callback-url <url>', 'under which the rail reaches the receiver')
    .option('--callback-port <port>', 'of the receiver on loopback', portArgument, 0)
    .option('--out <path>', 'write the report to <path>.md and <path>.json too')
    .option('--json', 'print one JSON object')
    .exitOverride(asUsage)
    .action(async ({ out, json, ...options }: RailTestOptions & { out?: string; json?: boolean }) => {
      const { railTest } = await import('./rail-test-actions.ts')
      const { report, markdown } = await railTest(options).catch(asUsage)
      const text = `${JSON.stringify(report)}\n`
      if (out !== undefined) {
        writeFileSync(`${out}.json`, text)
        writeFileSync(`${out}.md`, markdown)
      }
      process.stdout.write(json ? text : markdown)
      if (!report.ok) process.exitCode = 1
    })
}

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
