import type { Seals } from '../../../platform/seals.ts'

/**
 * The credentials of this deployment, the only customer of the simulated wallets. Derived from its secret: nobody else can
 * call them, and all nodes have the same.
 */
export const simulatorCredentials = (seals: Seals) => ({
  key: 'simulator',
  secret: seals.tag('simulator', 'gsma client secret'),
  apiKey: seals.tag('simulator', 'gsma api key'),
})

export const simulatorMerchant = { key: 'accountid', value: '2000' } as const
