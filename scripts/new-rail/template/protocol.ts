import { type Protocol, simulatedTimeoutMs } from '@pesewa/connector-kit'
import { createExampleRail } from './connector.ts'
import { type ExampleRailConnection, exampleRailFields } from './settings.ts'
import { simulatorKey } from './test-credentials.ts'

/** Example Rail's API. */
export const exampleRail: Protocol<ExampleRailConnection> = {
  name: 'example-rail',
  fields: exampleRailFields,
  connect: (connection, _provider, peer) => createExampleRail(connection, peer),
  testConnection: ({ providerId }, { simulatorUrl, seals }) => ({
    baseUrl: `${simulatorUrl}/${exampleRail.name}/${providerId}`,
    apiKey: simulatorKey(seals),
    timeoutMs: simulatedTimeoutMs,
  }),
  callFields: [],
}
