import Type, { type Static } from 'typebox'
import { minorDigits } from '../../../countries/money.ts'
import { commonFields, paceFields, secret } from '../../connection-fields.ts'
import { type Protocol, simulatedTimeoutMs } from '../../protocol.ts'
import type { Provider } from '../../provider.ts'
import { createMtnMomo } from './connector.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from './test-credentials.ts'

const credentials = Type.Object(
  { subscriptionKey: secret, apiUser: secret, apiKey: secret },
  { additionalProperties: false },
)

const fields = {
  ...commonFields,
  ...paceFields,
  targetEnvironment: Type.String({ pattern: '^[a-z0-9]{1,64}$' }),
  collection: credentials,
  /** Another product of MTN's, with credentials of its own: without them nothing is paid out. */
  disbursement: Type.Optional(credentials),
  sandboxCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
}

type MtnMomoConnection = Readonly<Static<Type.TObject<typeof fields>>> & {
  /** The simulator's only: no field of an operator's connection. */
  tokenTimeoutMs?: number
}

/** A new token takes MTN's newer platform 10 to 20 s. */
const defaultTokenTimeoutMs = 30_000

/** MTN MoMo Open API. */
export const mtnMomo: Protocol<MtnMomoConnection> = {
  name: 'mtn-momo',
  fields,
  faultOf: sandboxFault,
  connect({ sandboxCurrency: sent, ...connection }, { currencies: [currency = ''] }, peer) {
    const { timeoutMs, tokenTimeoutMs = Math.max(timeoutMs, defaultTokenTimeoutMs) } = connection
    const sandbox = sent !== undefined && { sandboxCurrency: { sent, currency } }
    return createMtnMomo({ ...connection, tokenTimeoutMs, ...sandbox }, peer)
  },
  testConnection: ({ providerId }, { simulatorUrl, seals }) => ({
    baseUrl: `${simulatorUrl}/mtn/${providerId}`,
    targetEnvironment: simulatorTargetEnvironment,
    collection: simulatorCredentials(seals, 'collection'),
    disbursement: simulatorCredentials(seals, 'disbursement'),
    timeoutMs: simulatedTimeoutMs,
    tokenTimeoutMs: simulatedTimeoutMs,
  }),
  manners: [],
}

function sandboxFault(
  { sandboxCurrency, targetEnvironment }: MtnMomoConnection,
  { currencies }: Provider,
): string | undefined {
  if (sandboxCurrency === undefined) return undefined
  // Anywhere else it would take payers' money in a currency that they did not agree to.
  if (targetEnvironment !== 'sandbox') return 'sandboxCurrency is for the targetEnvironment sandbox only'
  if (currencies.length !== 1) return 'sandboxCurrency needs a provider of one currency'
  return isCurrency(sandboxCurrency) ? undefined : 'sandboxCurrency is not a currency'
}

function isCurrency(code: string): boolean {
  try {
    return minorDigits(code) >= 0
  } catch {
    return false
  }
}
