import { type Protocol, simulatedTimeoutMs } from '@pesewa/connector-kit'
import { createGsma } from './connector.ts'
import { type GsmaConnection, gsmaFields } from './settings.ts'
import { simulatorCredentials, simulatorMerchant } from './test-credentials.ts'

/** The GSMA's Mobile Money API, version 1.2. */
export const gsma: Protocol<GsmaConnection> = {
  name: 'gsma',
  fields: gsmaFields,
  findIssue: ({ apiKey, oauth }) =>
    (apiKey === undefined) === (oauth === undefined) ? 'set either apiKey or oauth' : undefined,
  connect: (connection, { currencies }, peer) =>
    createGsma({ ...connection, currency: currencies.length === 1 ? currencies[0] : undefined }, peer),
  testConnection({ providerId }, { simulatorUrl, seals }) {
    const { key, secret } = simulatorCredentials(seals)
    return {
      baseUrl: `${simulatorUrl}/${gsma.name}/${providerId}`,
      merchant: simulatorMerchant,
      oauth: { key, secret },
      timeoutMs: simulatedTimeoutMs,
    }
  },
  callFields: [],
}
