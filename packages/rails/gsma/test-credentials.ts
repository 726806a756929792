import type { RailSeals } from '@pesewa/connector-kit'

/**
 * Returns this deployment's credentials for the simulated wallets. They are derived from the deployment's
 * secret, so they are the same on all nodes and nobody else can use them.
 */
export const simulatorCredentials = (seals: RailSeals) => ({
  key: 'simulator',
  secret: seals.tag('simulator', 'gsma client secret'),
  apiKey: seals.tag('simulator', 'gsma api key'),
})

export const simulatorMerchant = { key: 'accountid', value: '2000' } as const
