import type { Seals } from '../../../platform/seals.ts'

/**
 * This deployment's credentials for the simulated wallets, derived from the deployment's secret: the same on
 * all nodes, and unusable by others.
 */
export const simulatorCredentials = (seals: Seals) => ({
  key: 'simulator',
  secret: seals.tag('simulator', 'gsma client secret'),
  apiKey: seals.tag('simulator', 'gsma api key'),
})

export const simulatorMerchant = { key: 'accountid', value: '2000' } as const
