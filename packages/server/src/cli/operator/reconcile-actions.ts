import { readFileSync, statSync } from 'node:fs'
import type { Provider } from '@pesewa/connector-kit'
import { RailError } from '@pesewa/connector-kit/simulator'
import { closeDay, listDays, providerLocale } from '../../finance/reconciliation/days.ts'
import { importStatement } from '../../finance/reconciliation/imports.ts'
import { type Mapping, readMapping, simulatorMapping } from '../../finance/reconciliation/mapping.ts'
import { matchStatements } from '../../finance/reconciliation/matching.ts'
import { maxItemsListed, reportOn } from '../../finance/reconciliation/report.ts'
import type { Database } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { statementOf } from '../../simulator/statements/statements.ts'
import { findReconciled, readSettings } from '../../slices.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { whileWaiting } from '../output/waiting.ts'
import { describeDays } from './closed-days-text.ts'
import { withDatabase } from './command-database.ts'
import { describeReport, reportAsJson } from './reconciliation-text.ts'

// The actions of `pesewa reconcile` and its subcommands. Each one prints its result itself.

export type ReconcileOptions = { provider?: string; environment?: Environment; json?: boolean }
export type SimulatedOptions = { provider: string; from?: Date; until?: Date }
export type ImportOptions = SimulatedOptions & {
  environment: Environment
  file: string
  mapping?: string
  json?: boolean
}

const whileWorking = (work: (db: Database) => Promise<void>) => whileWaiting(() => withDatabase(work))

const itemsShown = 20 // open items listed in a report
const proofFailedCode = 2

export async function reconcile({ provider, environment, json }: ReconcileOptions): Promise<void> {
  const extent = { ...(provider && { providerId: provider }), ...(environment && { environment }) }
  if (provider) checkProvider(provider)
  await whileWorking(async (db) => {
    const reconciled = await findReconciled()
    await matchStatements(db, reconciled, extent)
    const now = new Date()
    const report = await reportOn(db, reconciled, extent, now, json ? maxItemsListed : itemsShown)
    process.stdout.write(json ? `${reportAsJson(report)}\n` : describeReport(report, now))
    process.exitCode = report.proof.differences.length > 0 ? proofFailedCode : report.isClean ? 0 : 1
  })
}

export async function importFile(options: ImportOptions): Promise<void> {
  const { provider, environment, file, from, until, json } = options
  checkProvider(provider)
  const mapping = options.mapping ? mappingOf(options.mapping) : simulatorMapping
  const period = { ...(from && { from }), ...(until && { until }) }
  await whileWorking(async (db) => {
    const statement = { providerId: provider, environment, file, mapping, ...period, at: new Date() }
    const imported = await importStatement(db, statement)
    process.stdout.write(
      json
        ? `${JSON.stringify(imported)}\n`
        : `${imported.lines} lines, ${imported.newLines} new, ` +
            `from ${imported.from.toISOString()} until ${imported.until.toISOString()}\n`,
    )
  })
}

export type DayOptions = { provider: string; environment: Environment; day: string }

/** Closes a day. Runs matching first, so that recently booked rows are included. */
export async function signDay({ provider, environment, day }: DayOptions, decider: Decider, json = false) {
  const place = providerLocale(checkProvider(provider))
  const name = { providerId: provider, environment, day }
  await whileWorking(async (db) => {
    await matchStatements(db, await findReconciled(), name)
    const closed = await db.transaction((tx) => closeDay(tx, name, place, decider, new Date()))
    process.stdout.write(describeDays(closed, json))
  })
}

export async function days({ provider, environment, json = false }: ReconcileOptions): Promise<void> {
  if (provider) checkProvider(provider)
  const extent = { ...(provider && { providerId: provider }), ...(environment && { environment }) }
  await withDatabase(async (db) => {
    process.stdout.write(describeDays(await listDays(db, extent), json))
  })
}

/** Prints a statement from the simulator, which acts as the provider in the test environment. */
export async function printSimulated({ provider, from, until }: SimulatedOptions): Promise<void> {
  checkProvider(provider)
  const period = { from: from ?? new Date(0), to: until ?? new Date() }
  const statement = await withDatabase((db) => statementOf(db, provider, period).catch(refuseTooMuch))
  process.stdout.write(statement)
}

function refuseTooMuch(error: unknown): never {
  if (!(error instanceof RailError)) throw error
  throw refusal('from, until', 'are too far apart for one statement')
}

function checkProvider(id: string): Provider {
  const provider = loadCatalogue(readSettings(process.env).providersFile).find(id)
  if (!provider) throw refusal('provider', 'is not a provider in the catalogue')
  return provider
}

const maxMappingBytes = 64 * 1024 // size of a statement mapping

function mappingOf(file: string): Mapping {
  const text = textOf(file)
  if (text === undefined || text.length > maxMappingBytes)
    throw refusal('mapping', `must be a readable file of at most ${maxMappingBytes} bytes`)
  return readMapping(text)
}

const refusal = (param: string, error: string) =>
  new Refusal('arguments_invalid', { details: [{ param, errors: [error] }] })

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > maxMappingBytes ? undefined : readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
