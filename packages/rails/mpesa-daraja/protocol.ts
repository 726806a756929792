import { type Protocol, simulatedTimeoutMs } from '@pesewa/connector-kit'
import { createDaraja } from './connector.ts'
import { type DarajaConnection, darajaFields, findDarajaIssue } from './settings.ts'
import { simulatedBusiness } from './test-credentials.ts'

/** Safaricom's M-Pesa in Kenya. */
export const mpesaDaraja: Protocol<DarajaConnection> = {
  name: 'mpesa-daraja',
  fields: darajaFields,
  findIssue: findDarajaIssue,
  connect: (connection, _provider, peer) => createDaraja(connection, peer),
  testConnection: ({ providerId }, { simulatorUrl, seals }) => ({
    ...simulatedBusiness(seals),
    baseUrl: `${simulatorUrl}/mpesa-daraja/${providerId}`,
    timeoutMs: simulatedTimeoutMs,
    // The simulator's reports arrive through our public URL, so they may come from any address, but only the
    // simulator knows the secret callback URLs.
    callbackAddresses: ['0.0.0.0/0', '::/0'],
  }),
  callFields: ['callbackAddresses', 'bills'],
  conformance: {
    notApplicable: {
      'repeated submit':
        'M-Pesa does not accept our reference, so repeating a request creates another payment',
      'clock skew': 'M-Pesa does not sign its reports',
    },
    provesReports: () => true,
    provesReportsByAddress: true,
    isNamedByRail: true,
    simulatedProof: { callbackAddresses: ['127.0.0.1'] },
  },
}
