import { type Protocol, type Provider, simulatedTimeoutMs } from '@pesewa/connector-kit'
import { isCurrency } from '@pesewa/values'
import { createMtnMomo } from './connector.ts'
import { type MtnMomoConnection, mtnFields } from './settings.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from './test-credentials.ts'

/** MTN's newer platform takes 10 to 20 s to issue a token. */
const defaultTokenTimeoutMs = 30_000

/** MTN MoMo Open API. */
export const mtnMomo: Protocol<MtnMomoConnection> = {
  name: 'mtn-momo',
  fields: mtnFields,
  findIssue: sandboxFault,
  connect({ sandboxCurrency: sent, ...connection }, { currencies: [currency = ''] }, peer) {
    const { timeoutMs, tokenTimeoutMs = Math.max(timeoutMs, defaultTokenTimeoutMs) } = connection
    const sandbox = sent !== undefined && { sandboxCurrency: { sent, currency } }
    return createMtnMomo({ ...connection, tokenTimeoutMs, ...sandbox }, peer)
  },
  testConnection: ({ providerId }, { simulatorUrl, seals }) => ({
    baseUrl: `${simulatorUrl}/mtn-momo/${providerId}`,
    targetEnvironment: simulatorTargetEnvironment,
    collection: simulatorCredentials(seals, 'collection'),
    disbursement: simulatorCredentials(seals, 'disbursement'),
    timeoutMs: simulatedTimeoutMs,
    tokenTimeoutMs: simulatedTimeoutMs,
  }),
  callFields: [],
}

function sandboxFault(
  { sandboxCurrency, targetEnvironment }: MtnMomoConnection,
  { currencies }: Provider,
): string | undefined {
  if (sandboxCurrency === undefined) return undefined
  // Outside the sandbox, payers would be charged in a currency to which they did not agree.
  if (targetEnvironment !== 'sandbox')
    return 'sandboxCurrency is allowed only if targetEnvironment is sandbox'
  if (currencies.length !== 1) return 'sandboxCurrency requires a provider with a single currency'
  return isCurrency(sandboxCurrency) ? undefined : 'sandboxCurrency is not a valid currency'
}
