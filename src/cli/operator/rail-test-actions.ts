import { setTimeout as sleep } from 'node:timers/promises'
import { ownUrl } from '../../platform/platform.ts'
import { createSeals } from '../../platform/seals.ts'
import { readSecretKey } from '../../platform/secret-key.ts'
import { type Catalogue, loadCatalogue } from '../../providers/catalogue.ts'
import { startReceiver } from '../../providers/conformance/callbacks.ts'
import { asMarkdown, runCases } from '../../providers/conformance/conformance.ts'
import { openStand } from '../../providers/conformance/open-stand.ts'
import { simulatedAccounts } from '../../providers/conformance/stand.ts'
import { protocolOf } from '../../providers/protocols/protocols.ts'
import { readSettings } from '../../slices.ts'
import { CommandError } from '../command.ts'

export type RailTestOptions = {
  connection?: string
  provider?: string
  simulated?: string
  paying?: string
  late?: string
  amount?: bigint
  callbackUrl?: string
  callbackPort: number
}

const defaultAmount = 100n

export async function railTest({ callbackPort, amount = defaultAmount, ...options }: RailTestOptions) {
  const { provider, connection, accounts, callbackUrl } = railOf(options)
  const receiver = await startReceiver(callbackPort)
  try {
    const stand = await openStand(connection, provider, {
      accounts,
      amount,
      receiver,
      wait: (ms) => sleep(ms),
      ...(callbackUrl !== undefined && { callbackUrl }),
    })
    try {
      const rail = options.connection ?? provider.providerId
      const report = await runCases(stand, { rail, protocol: connection.protocol })
      return { report, markdown: asMarkdown(report) }
    } finally {
      await stand.close()
    }
  } finally {
    receiver.close()
  }
}

type RailChoice = Omit<RailTestOptions, 'amount' | 'callbackPort'>

function railOf(options: RailChoice) {
  const settings = readSettings(process.env)
  const catalogue = loadCatalogue(settings.providersFile)
  if ((options.connection === undefined) === (options.simulated === undefined))
    throw new CommandError('Name either a --connection or a --simulated provider.')
  if (options.simulated === undefined) return connectedRail(catalogue, options)
  const provider = catalogue.find(options.simulated)
  if (!provider) throw new CommandError(`There is no provider ${options.simulated}.`)
  const protocol = protocolOf(provider)
  const simulatorUrl = settings.simulatorUrl ?? `${ownUrl(settings)}/simulator`
  const seals = createSeals(readSecretKey(settings))
  const place = { simulatorUrl, baseUrl: settings.baseUrl ?? ownUrl(settings), seals }
  return {
    provider,
    connection: { ...protocol.testConnection(provider, place), protocol: protocol.name },
    // Simulated rails report to the host of BASE_URL only, so to the service: what needs a report is not run.
    callbackUrl: `${place.baseUrl}/callbacks/rail-test`,
    accounts: { ...simulatedAccounts(provider.country), ...namedOf(options) },
  }
}

const namedOf = ({ paying, late }: { paying?: string | undefined; late?: string | undefined }) => ({
  ...(paying !== undefined && { paying }),
  ...(late !== undefined && { late }),
})

/** Real accounts are never guessed. */
function connectedRail(
  catalogue: Catalogue,
  { connection: name, provider: id, callbackUrl, paying, late }: RailChoice,
) {
  const [found] = catalogue.all().flatMap((provider) =>
    catalogue
      .connectionsOf(provider.providerId)
      .filter((each) => each.name === name && (id === undefined || id === provider.providerId))
      .map((own) => ({ provider, own })),
  )
  if (!found) throw new CommandError(`PROVIDERS_FILE has no connection ${name}${id ? ` to ${id}` : ''}.`)
  // Its name is ours, not a field of the protocol.
  const { provider, own } = found
  const { name: _, files: __, ...connection } = own
  return {
    provider,
    connection,
    callbackUrl,
    accounts: namedOf({ paying, late }),
  }
}
