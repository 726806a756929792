import { type Protocol, pageFault } from '@pesewa/connector-kit'
import { type RestRailConnection, railFields, settingsOf, simulatedRail } from '../rest/settings.ts'
import { createAcquirer } from './connector.ts'

/** A card acquirer whose sessions use the REST rail's messages. */
export const acquirer: Protocol<RestRailConnection> = {
  name: 'acquirer',
  fields: railFields,
  findIssue: pageFault,
  connect: (connection, _provider, peer) => createAcquirer(settingsOf(connection), peer),
  testConnection: ({ providerId }, place) => simulatedRail(place, `${acquirer.name}/${providerId}`),
  callFields: [],
  conformance: { commitsBeforeAnswering: true },
}
