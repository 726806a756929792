import { randomUUID } from 'node:crypto'
import type { ProbeStep } from '@pesewa/connector-kit'
import { baseUrlOf } from '../../platform/platform.ts'
import { createSeals } from '../../platform/seals.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import { providersOf } from '../../rails/connections/connections.ts'
import { openProviders, type Providers } from '../../rails/providers/providers.ts'
import { readSettings } from '../../slices.ts'
import { billUrls } from '../../ways-to-pay/bill-payments/addresses.ts'
import { CommandError } from '../command.ts'

/** Tests a connection; exits with 1 if a step fails. */
export const testConnection = (name: string) =>
  withRails(async ({ catalogue, connectors }) => {
    const connection = catalogue.connections().find((each) => each.name === name)
    if (!connection) throw new CommandError(`There is no connection ${name} in PROVIDERS_FILE.`)
    const [providerId = ''] = providersOf(connection)
    const connector = connectors.findConnector(providerId, 'live', name)
    if (!connector?.probe)
      throw new CommandError(`${connection.protocol} has no read-only request to test with.`)
    return shown(await connector.probe())
  })

/** Registers our callback URLs with the rail; exits with 1 if a step fails. */
export async function registerConnection(name: string, { test }: { test?: boolean }) {
  // In the test environment, the service itself runs the simulated rails unless a setting points elsewhere.
  const settings = { ...readSettings(process.env), ...(test && { simulator: 'on' as const }) }
  // The callback URLs contain a token encrypted with the service's secret key.
  const seals = createSeals(readSecretKey(settings))
  const environment = test ? 'test' : 'live'
  return withRails(async ({ connectors }) => {
    const found = connectors
      .billConnections()
      .find((each) => each.environment === environment && each.connection === name)
    if (!found) throw new CommandError(`No connection ${name} in ${environment} accepts manual payments.`)
    const baseUrl = baseUrlOf(settings)
    const addresses = billUrls({ seals, baseUrl }, { environment, connection: name })
    return shown(await found.bills.register(addresses))
  }, settings)
}

function shown(steps: ProbeStep[]) {
  if (steps.some(({ outcome }) => outcome !== 'ok')) process.exitCode = 1
  return { steps }
}

/** Runs `work` with access to the rails, configured as in the service, but without the service's database. */
export async function withRails<T>(
  work: (providers: Providers) => Promise<T>,
  settings = readSettings(process.env),
): Promise<T> {
  // Requests to live rails do not need our secret key. If there is none yet, it is not read, because reading it
  // would create one.
  const seals = createSeals(hasSecretKey(settings) ? readSecretKey(settings) : randomUUID())
  const providers = openProviders({ settings, seals, baseUrl: baseUrlOf(settings) })
  try {
    return await work(providers)
  } finally {
    await providers.connectors.close()
  }
}
