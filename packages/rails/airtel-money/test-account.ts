import type { RailSeals } from '@pesewa/connector-kit'
import type { AirtelConnection } from './settings.ts'

/**
 * Returns this deployment's account with the simulated Airtel. It is derived from the deployment's secret, so
 * it is the same on all nodes and nobody else can use it. Countries differ as they do in reality: Zambia
 * requires signed messages, Congo uses a different padding, and Uganda does not authenticate callbacks.
 */
export const testAccount = (seals: RailSeals, country: string) =>
  ({
    clientId: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
    clientSecret: seals.tag('simulator', `airtel secret ${country}`),
    pin: '2580',
    ...(country === 'ZM' && { signsMessages: true }),
    ...(country === 'CG' && { pinPadding: 'oaep' }),
    ...(country !== 'UG' && { callbackKey: seals.tag('simulator', `airtel callbacks ${country}`) }),
  }) satisfies Partial<AirtelConnection>
