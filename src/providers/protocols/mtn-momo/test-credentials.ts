import type { Seals } from '../../../platform/seals.ts'
import type { Credentials, ProductName } from './settings.ts'

/**
 * This deployment's credentials for the simulated MTN rails, derived from the deployment's secret: the same on
 * all nodes, and unusable by others.
 */
export const simulatorCredentials = (seals: Seals, product: ProductName): Credentials => ({
  subscriptionKey: `simulator-${product}`,
  apiUser: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
  apiKey: seals.tag('simulator', `api key ${product}`),
})

export const simulatorTargetEnvironment = 'sandbox'
