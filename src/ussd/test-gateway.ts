import type { Seals } from '../platform/seals.ts'

/** The secret of the address at which the simulated handsets' aggregator finds our USSD gateway. */
export const testGatewaySecret = (seals: Seals) => seals.tag('ussd', 'test gateway')

/** That address, at a node of this deployment. */
export const testGatewayUrl = (origin: string, seals: Seals) =>
  `${origin}/ussd/africastalking/${testGatewaySecret(seals)}`
