import type { Platform } from '../platform/platform.ts'
import { type Catalogue, loadCatalogue } from './catalogue.ts'
import { type Connectors, openConnectors } from './connectors.ts'
import { openSimulator, type Simulator } from './simulator/simulator.ts'

export type Providers = { catalogue: Catalogue; connectors: Connectors; simulator: Simulator; close(): Promise<void> }
