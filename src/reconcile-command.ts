import { readFileSync, statSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { withDatabase } from './admin-actions.ts'
import type { Environment } from './platform/clock.ts'
import { readSettings } from './platform/config.ts'
import { Refusal } from './platform/refusals.ts'
import { loadCatalogue } from './providers/catalogue.ts'
import { RailError } from './providers/simulator/rail-error.ts'
import { statementOf } from './providers/simulator/statements.ts'
import { importStatement } from './reconciliation/imports.ts'
import { type Mapping, readMapping, simulatorMapping } from './reconciliation/mapping.ts'
import { matchStatements } from './reconciliation/matching.ts'
import { maxItemsTold, reportOn } from './reconciliation/report.ts'
import { readTime } from './reconciliation/statement-text.ts'
import { describeReport, reportAsJson } from './reconciliation-text.ts'

type Extent = { provider?: string; environment?: Environment; json?: boolean }
type ImportOptions = Required<Omit<Extent, 'json'>> & {
  file: string
  mapping?: string
  from?: Date
  until?: Date
  json?: boolean
}

type SimulatedOptions = { provider: string; from?: Date; until?: Date }

// 1 says that items are open.
const faultCode = 2
const itemsShown = 20

/** `pesewa reconcile` and `pesewa reconcile import`. */
export function addReconcileCommand(program: Command, json: readonly [string, string]): void {
  const environment = () => new Option('--environment <environment>').choices(['test', 'live'])
  const command = program
    .command('reconcile')
    .description(
      'match what providers say with the books: exits with 0 if nothing is open but what no statement could tell of yet, 1 if anything else is open, 2 if the command failed or the proof does not hold',
    )
    .option('--provider <id>', 'only this one, like m17')
    .addOption(environment())
    .option(...json)
    .enablePositionalOptions()
    .exitOverride(asFault)
    .action((options: Extent) => reconcile(options).catch(asFault))
  command
    .command('import')
    .description('take in the statement of a provider: all of its lines, or none')
    .requiredOption('--provider <id>', 'like m17')
    .addOption(environment().makeOptionMandatory())
    .requiredOption('--file <path>', 'a CSV file')
    .option('--mapping <path>', 'how to read it, as JSON (the simulator’s statements need none)')
    .option(
      '--from <time>',
      'it tells of what moved from then on, if that is before its first line',
      timeArgument,
    )
    .option(
      '--until <time>',
      'it tells of what moved before then, if that is after its last line',
      timeArgument,
    )
    .option(...json)
    .exitOverride(asFault)
    .action((options: ImportOptions) => importFile(options).catch(asFault))
  command
    .command('simulated')
    .description('print the statement of a provider of the test environment, to import it')
    .requiredOption('--provider <id>', 'like m17')
    .option('--from <time>', 'what moved from then on', timeArgument)
    .option('--until <time>', 'what moved before then', timeArgument)
    .exitOverride(asFault)
    .action((options: SimulatedOptions) => printSimulated(options).catch(asFault))
}

function asFault(error: Error): never {
  const { exitCode = faultCode } = error as { exitCode?: number }
  throw Object.assign(error, { exitCode: exitCode && faultCode })
}

async function reconcile({ provider, environment, json }: Extent): Promise<void> {
  const extent = { ...(provider && { providerId: provider }), ...(environment && { environment }) }
  if (provider) checkProvider(provider)
  await withDatabase(async (db) => {
    await matchStatements(db, extent)
    const now = new Date()
    const report = await reportOn(db, extent, now, json ? maxItemsTold : itemsShown)
    process.stdout.write(json ? `${reportAsJson(report)}\n` : describeReport(report, now))
    process.exitCode = report.proof.differences.length > 0 ? faultCode : report.isClean ? 0 : 1
  })
}

async function importFile(options: ImportOptions): Promise<void> {
  const { provider, environment, file, from, until, json } = options
  checkProvider(provider)
  const mapping = options.mapping ? mappingOf(options.mapping) : simulatorMapping
  const period = { ...(from && { from }), ...(until && { until }) }
  await withDatabase(async (db) => {
    const given = { providerId: provider, environment, file, mapping, ...period, at: new Date() }
    const imported = await importStatement(db, given)
    process.stdout.write(
      json
        ? `${JSON.stringify(imported)}\n`
        : `${imported.lines} lines, ${imported.newLines} of them new, ` +
            `from ${imported.from.toISOString()} until ${imported.until.toISOString()}\n`,
    )
  })
}

/** In test the simulator plays the provider, also when it makes a statement. */
async function printSimulated({ provider, from, until }: SimulatedOptions): Promise<void> {
  checkProvider(provider)
  const period = { from: from ?? new Date(0), to: until ?? new Date() }
  const statement = await withDatabase((db) => statementOf({ db }, provider, period).catch(refuseTooMuch))
  process.stdout.write(statement)
}

function refuseTooMuch(error: unknown): never {
  if (!(error instanceof RailError)) throw error
  throw new Refusal('arguments_invalid', {
    details: [{ param: 'from, until', errors: ['are too far apart for one statement'] }],
  })
}

function checkProvider(id: string): void {
  if (loadCatalogue(readSettings(process.env).providersFile).find(id)) return
  throw new Refusal('arguments_invalid', {
    details: [{ param: 'provider', errors: ['names no provider of the catalogue'] }],
  })
}

const maxMappingBytes = 64 * 1024

function mappingOf(file: string): Mapping {
  const text = textOf(file)
  if (text === undefined || text.length > maxMappingBytes)
    throw new Refusal('arguments_invalid', {
      details: [
        { param: 'mapping', errors: [`cannot be read as a file of at most ${maxMappingBytes} bytes`] },
      ],
    })
  return readMapping(text)
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > maxMappingBytes ? undefined : readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function timeArgument(text: string): Date {
  try {
    return readTime(text)
  } catch {
    throw new InvalidArgumentError('must be a time like 2026-11-21 or 2026-11-21T02:00:00Z.')
  }
}
