import type { Seals } from '../../platform/seals.ts'

/**
 * Returns the secret in the URL through which the aggregator of the simulated handsets reaches our USSD
 * gateway.
 */
export const testGatewaySecret = (seals: Seals) => seals.tag('ussd', 'test gateway')

/**
 * Returns the URL, including its secret, at which a node of this installation receives the steps of the
 * simulated handsets.
 */
export const testGatewayUrl = (origin: string, seals: Seals) =>
  `${origin}/ussd/africastalking/${testGatewaySecret(seals)}`
