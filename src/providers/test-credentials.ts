import type { Seals } from '../platform/seals.ts'
import type { Credentials, ProductName } from './protocols/mtn-momo/settings.ts'

/**
 * What the simulated MTN rails take from their only customer, this deployment. Made from its secret, so that nobody
 * else fills them with requests; all nodes make the same.
 */
export const simulatorCredentials = (seals: Seals, product: ProductName): Credentials => ({
  subscriptionKey: `simulator-${product}`,
  apiUser: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
  apiKey: seals.tag('simulator', `api key ${product}`),
})

/** The key that the simulated banks, wallets and acquirer take. */
export const railKey = (seals: Seals) => seals.tag('simulator', 'rail key')

/** With which the simulated banks and wallets sign their reports. */
export const callbackKey = (seals: Seals) => seals.tag('simulator', 'callback key')

/** The secret of the address at which the simulated handsets' aggregator finds our USSD gateway. */
export const testGatewaySecret = (seals: Seals) => seals.tag('ussd', 'test gateway')

/** That address, at a node of this deployment. */
export const testGatewayUrl = (origin: string, seals: Seals) =>
  `${origin}/ussd/africastalking/${testGatewaySecret(seals)}`

export const simulatorTargetEnvironment = 'sandbox'
