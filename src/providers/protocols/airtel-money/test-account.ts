import type { Seals } from '../../../platform/seals.ts'
import type { AirtelConnection } from './settings.ts'

/**
 * The account of this deployment at the simulated Airtel, derived from its secret: nobody else can use it, and all nodes
 * have the same. Countries differ as the real ones do: Zambia insists on signed messages, Congo on another padding, and
 * Uganda proves no callbacks.
 */
export const testAccount = (seals: Seals, country: string) =>
  ({
    clientId: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
    clientSecret: seals.tag('simulator', `airtel secret ${country}`),
    pin: '2580',
    ...(country === 'ZM' && { signsMessages: true }),
    ...(country === 'CG' && { pinPadding: 'oaep' }),
    ...(country !== 'UG' && { callbackKey: seals.tag('simulator', `airtel callbacks ${country}`) }),
  }) satisfies Partial<AirtelConnection>
