import Type, { type Static } from 'typebox'
import { paceFields } from '../../connection-fields.ts'
import type { Protocol } from '../../protocol.ts'
import type { Provider } from '../../provider.ts'
import { createRest } from './connector.ts'
import { pageFault, railFields, settingsOf, simulatedRail } from './rail-fields.ts'
import { type Flow, flows } from './settings.ts'
import { callbackKey } from './test-keys.ts'

const fields = {
  ...railFields,
  ...paceFields,
  flow: Type.Optional(Type.Enum(flows)),
  /** Money is booked on its word alone: as long as what it proves. */
  callbackKey: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{32,200}$' })),
  statesAmounts: Type.Optional(Type.Boolean()),
}

/** The REST rail of banks and wallets. */
export const rest: Protocol<Readonly<Static<Type.TObject<typeof fields>>>> = {
  name: 'rest',
  fields,
  faultOf: pageFault,
  connect(connection, provider, peer) {
    const { flow = flowOf(provider), callbackKey, statesAmounts = true } = connection
    const settings = { ...settingsOf(connection), flow, statesAmounts }
    return createRest({ ...settings, ...(callbackKey && { callbackKey }) }, peer)
  },
  testConnection: ({ providerId }, place) => ({
    ...simulatedRail(place, `${rest.name}/${providerId}`),
    callbackKey: callbackKey(place.seals),
  }),
  manners: ['callbackKey', 'statesAmounts'],
}

/** What the catalogue says of a provider, unless its connection says otherwise. */
const flowOf = ({ featureSet }: Provider): Flow =>
  featureSet.payment.schemes.includes('redirect') ? 'redirect' : 'push'
