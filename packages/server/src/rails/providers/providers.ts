import { ownUrl, type Platform } from '../../platform/platform.ts'
import { type Catalogue, loadCatalogue } from '../connections/catalogue.ts'
import { type Connectors, openConnectors } from '../connections/connectors.ts'
import { noPauses, type Pauses } from '../routing/pauses.ts'
import type { ProviderSettings } from './settings.ts'

export type Providers = {
  catalogue: Catalogue
  connectors: Connectors
  pauses: Pauses
}

/**
 * Loads the catalogue and opens the connectors to its providers. In the test environment, they connect to the
 * simulator.
 */
export function openProviders(
  { settings, seals, baseUrl }: Pick<Platform<ProviderSettings>, 'settings' | 'seals' | 'baseUrl'>,
  pauses = noPauses,
): Providers {
  const catalogue = loadCatalogue(settings.providersFile)
  const ownSimulator = settings.simulator === 'on' ? `${ownUrl(settings)}/simulator` : undefined
  const simulatorUrl = settings.simulatorUrl ?? ownSimulator
  return { catalogue, connectors: openConnectors(catalogue, { simulatorUrl, baseUrl, seals }), pauses }
}
