import { ownUrl, type Platform } from '../platform/platform.ts'
import { type Catalogue, loadCatalogue } from './catalogue.ts'
import { type Connectors, openConnectors } from './connectors.ts'
import type { SimulatorClock } from './simulator/clock.ts'
import { testGatewayUrl } from './simulator/credentials.ts'
import { openSimulator, type Simulator } from './simulator/simulator.ts'

export type Providers = {
  catalogue: Catalogue
  connectors: Connectors
  simulator: Simulator
  close(): Promise<void>
}

/** The catalogue, the connectors and what their rails bear, and the simulator of the test environment's rails. */
export function openProviders(
  platform: Platform,
  options: { simulatorClock?: SimulatorClock } = {},
): Providers {
  const { settings, db, log, seals, baseUrl } = platform
  const catalogue = loadCatalogue(settings.providersFile)
  const isSimulating = settings.simulator === 'on'
  const simulatorUrl = settings.simulatorUrl ?? (isSimulating ? `${ownUrl(settings)}/simulator` : undefined)
  const connectors = openConnectors(catalogue, { simulatorUrl, baseUrl, seals })
  const clock = options.simulatorClock
  const simulator = openSimulator({
    db,
    log,
    seals,
    catalogue,
    baseUrl,
    gatewayUrl: testGatewayUrl(ownUrl(settings), seals),
    rateLimits: settings.rateLimits,
    isOn: isSimulating,
    ...(clock && { clock }),
  })
  return {
    catalogue,
    connectors,
    simulator,
    async close() {
      await simulator.stop()
      await connectors.close()
    },
  }
}
