import type { RailSeals } from '@pesewa/connector-kit'
import type { Credentials, ProductName } from './settings.ts'

/**
 * Returns this deployment's credentials for the simulated MTN rails. They are derived from the deployment's
 * secret, so they are the same on all nodes and nobody else can use them.
 */
export const simulatorCredentials = (seals: RailSeals, product: ProductName): Credentials => ({
  subscriptionKey: `simulator-${product}`,
  apiUser: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
  apiKey: seals.tag('simulator', `api key ${product}`),
})

export const simulatorTargetEnvironment = 'sandbox'
