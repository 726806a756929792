import { type Protocol, simulatedTimeoutMs } from '@pesewa/connector-kit'
import { createAirtel } from './connector.ts'
import { type AirtelConnection, airtelFields } from './settings.ts'
import { testAccount } from './test-account.ts'

/** Airtel Money's Open API for 14 African countries. */
export const airtelMoney: Protocol<AirtelConnection> = {
  name: 'airtel-money',
  fields: airtelFields,
  connect: (connection, { country, currencies }, peer) =>
    createAirtel({ ...connection, country, currencies }, peer),
  testConnection: ({ providerId, country }, { simulatorUrl, seals }) => ({
    baseUrl: `${simulatorUrl}/airtel-money/${providerId}`,
    ...testAccount(seals, country),
    timeoutMs: simulatedTimeoutMs,
    // The simulator knows every outcome immediately, and tests should not have to wait.
    firstQueryMs: 5_000,
    missingAfterMs: 60_000,
  }),
  callFields: ['pin', 'pinPadding', 'signsMessages', 'disbursementVersion', 'callbackKey'],
  conformance: {
    notApplicable: { 'clock skew': 'Airtel’s reports contain no signed time' },
    provesReports: ({ callbackKey }) => callbackKey !== undefined,
  },
}
