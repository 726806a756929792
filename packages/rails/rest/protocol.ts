import { type Protocol, type Provider, pageFault } from '@pesewa/connector-kit'
import { createRest } from './connector.ts'
import { type Flow, type RestConnection, restFields, settingsOf, simulatedRail } from './settings.ts'
import { callbackKey } from './test-keys.ts'

/** The REST rail for banks and wallets. */
export const rest: Protocol<RestConnection> = {
  name: 'rest',
  fields: restFields,
  findIssue: pageFault,
  connect(connection, provider, peer) {
    const { flow = flowOf(provider), callbackKey, statesAmounts = true } = connection
    const settings = { ...settingsOf(connection), flow, statesAmounts }
    return createRest({ ...settings, ...(callbackKey && { callbackKey }) }, peer)
  },
  testConnection: ({ providerId }, place) => ({
    ...simulatedRail(place, `${rest.name}/${providerId}`),
    callbackKey: callbackKey(place.seals),
  }),
  callFields: ['callbackKey', 'statesAmounts'],
  conformance: {
    provesReports: ({ callbackKey }) => callbackKey !== undefined,
    commitsBeforeAnswering: true,
  },
}

/** Returns the provider's flow according to the catalogue, which a connection can override. */
const flowOf = ({ featureSet }: Provider): Flow =>
  featureSet.payment.schemes.includes('redirect') ? 'redirect' : 'push'
