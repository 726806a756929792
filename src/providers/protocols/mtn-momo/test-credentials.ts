import type { Seals } from '../../../platform/seals.ts'
import type { Credentials, ProductName } from './settings.ts'

/**
 * What the simulated MTN rails take from their only customer, this deployment. Made from its secret, so that nobody
 * else fills them with requests; all nodes make the same.
 */
export const simulatorCredentials = (seals: Seals, product: ProductName): Credentials => ({
  subscriptionKey: `simulator-${product}`,
  apiUser: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
  apiKey: seals.tag('simulator', `api key ${product}`),
})

export const simulatorTargetEnvironment = 'sandbox'
