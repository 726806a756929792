import { readFileSync, statSync } from 'node:fs'
import { RailError } from '@pesewa/connector-kit/simulator'
import { importStatement } from '../../finance/reconciliation/imports.ts'
import { type Mapping, readMapping, simulatorMapping } from '../../finance/reconciliation/mapping.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { statementOf } from '../../simulator/statements/statements.ts'
import { readSettings } from '../../slices.ts'
import { withDatabase } from './command-database.ts'

// The subcommands of `pesewa reconcile` that read or write files of any size.

export type SimulatedOptions = { provider: string; from?: Date; until?: Date }
export type ImportOptions = SimulatedOptions & { environment: Environment; file: string; mapping?: string }

export async function importFile({ provider, environment, file, mapping, from, until }: ImportOptions) {
  checkProvider(provider)
  const statement = {
    ...{ providerId: provider, environment, file, from, until },
    mapping: mapping ? mappingOf(mapping) : simulatorMapping,
  }
  return withDatabase((db) => importStatement(db, { ...statement, at: new Date() }))
}

/** Returns a statement of the simulator, which acts as the provider in the test environment. */
export async function simulatedStatement({ provider, from, until }: SimulatedOptions): Promise<string> {
  checkProvider(provider)
  const period = { from: from ?? new Date(0), to: until ?? new Date() }
  return withDatabase((db) => statementOf(db, provider, period).catch(refuseTooMuch))
}

function refuseTooMuch(error: unknown): never {
  if (!(error instanceof RailError)) throw error
  throw argumentRefusal('from, until', 'are too far apart for one statement')
}

function checkProvider(id: string): void {
  if (!loadCatalogue(readSettings(process.env).providersFile).find(id))
    throw argumentRefusal('provider', 'is not a provider in the catalogue')
}

const maxMappingBytes = 64 * 1024 // size of a statement mapping

function mappingOf(file: string): Mapping {
  const text = textOf(file)
  if (text === undefined || text.length > maxMappingBytes)
    throw argumentRefusal('mapping', `must be a readable file of at most ${maxMappingBytes} bytes`)
  return readMapping(text)
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > maxMappingBytes ? undefined : readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
