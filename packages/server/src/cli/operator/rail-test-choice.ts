import type { ConnectionFields, Provider } from '@pesewa/connector-kit'
import { type NamedAccounts, simulatedAccounts } from '@pesewa/connector-kit/conformance'
import { baseUrlOf, ownUrl } from '../../platform/platform.ts'
import { createSeals } from '../../platform/seals.ts'
import { readSecretKey } from '../../platform/secret-key.ts'
import { readAccount } from '../../rails/connections/account.ts'
import { type Catalogue, loadCatalogue } from '../../rails/connections/catalogue.ts'
import { protocolOf } from '../../rails/connections/protocols.ts'
import { readSettings } from '../../slices.ts'
import { CommandError } from '../command.ts'

export type RailChoice = {
  connection?: string
  provider?: string
  simulated?: string
  paying?: string
  late?: string
}

/** The rail to test and the payer accounts to use. */
export type ChosenRail = {
  provider: Provider
  connection: ConnectionFields & { protocol: string }
  accounts: NamedAccounts
  /** URL of the simulator, for a simulated rail. */
  simulatorUrl?: string
}

/**
 * Chooses the rail and the payer accounts that the options specify.
 *
 * @throws CommandError if the options are incomplete or invalid
 */
export function chooseRail({ connection, simulated, ...options }: RailChoice): ChosenRail {
  const { providersFile, ...settings } = readSettings(process.env)
  const catalogue = loadCatalogue(providersFile)
  if (connection !== undefined && simulated === undefined) {
    if (providersFile === undefined)
      throw new CommandError('PROVIDERS_FILE is not set, so no connections are defined.')
    return connectedRail(catalogue, connection, options)
  }
  if (simulated === undefined || connection !== undefined)
    throw new CommandError('Specify either --connection or --simulated.')
  return simulatedRail(catalogue, simulated, settings, options)
}

type Settings = ReturnType<typeof readSettings>
type Accounts = Pick<RailChoice, 'paying' | 'late'>

function simulatedRail(
  catalogue: Catalogue,
  providerId: string,
  settings: Omit<Settings, 'providersFile'>,
  accounts: Accounts,
): ChosenRail {
  const provider = catalogue.find(providerId)
  if (!provider) throw new CommandError(`There is no provider ${providerId}.`)
  const protocol = protocolOf(provider)
  const simulatorUrl = settings.simulatorUrl ?? `${ownUrl(settings)}/simulator`
  const seals = createSeals(readSecretKey(settings))
  const place = { simulatorUrl, baseUrl: baseUrlOf(settings), seals }
  const fields = { ...protocol.testConnection(provider, place), ...protocol.conformance?.simulatedProof }
  return {
    provider,
    // The simulator is local, so a short time limit is enough even for responses that are intentionally slow.
    connection: { ...fields, protocol: protocol.name, timeoutMs: simulatedTimeoutMs },
    accounts: { ...simulatedAccounts(provider.country), ...accountsOf(provider, accounts) },
    simulatorUrl,
  }
}

const simulatedTimeoutMs = 3_000 // time limit for a request to a simulated rail, in `pesewa rail-test`

/**
 * Chooses a live connection. The options must specify the payer accounts, because real accounts are never
 * guessed.
 */
function connectedRail(
  catalogue: Catalogue,
  name: string,
  { provider: id, ...accounts }: Omit<RailChoice, 'connection' | 'simulated'>,
): ChosenRail {
  const found = catalogue
    .all()
    .flatMap((provider) =>
      catalogue.connectionsOf(provider.providerId).map((connection) => ({ provider, connection })),
    )
    .filter(({ connection }) => connection.name === name)
  const chosen = found.find(({ provider }) => id === undefined || provider.providerId === id)
  if (found.length === 0) {
    const names = catalogue.connections().map((each) => each.name)
    throw new CommandError(
      `PROVIDERS_FILE has no connection ${name}. Available: ${names.join(', ') || 'none'}.`,
    )
  }
  if (!chosen) {
    const reached = found.map(({ provider }) => provider.providerId)
    throw new CommandError(`The connection ${name} reaches ${reached.join(', ')}, not ${id}.`)
  }
  // Leaves out the name, because it belongs to our configuration and is not a field of the protocol.
  const { name: _, files: __, ...connection } = chosen.connection
  const named = accountsOf(chosen.provider, accounts)
  if (named.paying === undefined)
    throw new CommandError(
      'Use --paying to specify the account of a payer who pays immediately; no case can run without one.',
    )
  return { provider: chosen.provider, connection, accounts: named }
}

function accountsOf(provider: Provider, { paying, late }: Accounts): NamedAccounts {
  // The payer enters the card number on the acquirer's page.
  if (provider.type === 'card') return { paying: null }
  return {
    ...(paying !== undefined && { paying: accountOf(provider, '--paying', paying) }),
    ...(late !== undefined && { late: accountOf(provider, '--late', late) }),
  }
}

/** Validates an account by the rules of the test environment, because sandboxes use fictitious numbers. */
function accountOf(provider: Provider, option: string, typed: string): string {
  const account = readAccount(provider, typed, 'test')
  if (account === undefined)
    throw new CommandError(`${option} ${typed} is not a valid ${provider.providerId} account.`)
  return account
}
