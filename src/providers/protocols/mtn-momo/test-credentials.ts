import type { Seals } from '../../../platform/seals.ts'
import type { Credentials, ProductName } from './settings.ts'

/**
 * The credentials of this deployment, the only customer of the simulated MTN rails. Derived from its secret: nobody else
 * can call them, and all nodes have the same.
 */
export const simulatorCredentials = (seals: Seals, product: ProductName): Credentials => ({
  subscriptionKey: `simulator-${product}`,
  apiUser: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
  apiKey: seals.tag('simulator', `api key ${product}`),
})

export const simulatorTargetEnvironment = 'sandbox'
