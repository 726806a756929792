import { minorDigits } from '../../../countries/money.ts'
import { type Protocol, simulatedTimeoutMs } from '../../protocol.ts'
import { nameIn, type Provider } from '../../provider.ts'
import { pageFault } from '../../rail-page.ts'
import { createPaystack } from './connector.ts'
import { type PaystackConnection, paystackFields } from './settings.ts'
import { simulatedSecretKey } from './test-keys.ts'

/** Its lists have no key of ours to be asked by: one that lags behind must not let a refund be made again. */
const liveMissingAfterMs = 15 * 60_000

/** Of whatever bank it plays. */
export const simulatedBankCode = '058'

const ownPageOrigin = 'https://checkout.paystack.com'

/** Paystack: wallets, dialled bank payments and cards in Nigeria, Ghana, Kenya and Côte d’Ivoire. */
export const paystack: Protocol<PaystackConnection> = {
  name: 'paystack',
  fields: paystackFields,
  faultOf,
  connect(connection, provider, peer) {
    const { baseUrl, secretKey, bankCode, unitsPerFranc, timeoutMs } = connection
    const { pageOrigin = ownPageOrigin, emailDomain = 'payers.example' } = connection
    const { missingAfterMs = liveMissingAfterMs } = connection
    const { type, country, currencies } = provider
    const [currency = ''] = currencies
    const as = nameIn(paystack.name, provider)
    const own = { baseUrl, secretKey, pageOrigin, emailDomain, timeoutMs, missingAfterMs, unitsPerFranc }
    return createPaystack({ ...own, type, country, currency, as, ...(bankCode && { bankCode }) }, peer)
  },
  testConnection: ({ providerId, type }, { simulatorUrl, baseUrl, seals }) => ({
    baseUrl: `${simulatorUrl}/paystack/${providerId}`,
    secretKey: simulatedSecretKey(seals),
    pageOrigin: new URL(baseUrl).origin,
    unitsPerFranc: 100,
    ...(type === 'bank' && { bankCode: simulatedBankCode }),
    timeoutMs: simulatedTimeoutMs,
    missingAfterMs: 60_000,
  }),
  manners: ['pageOrigin', 'emailDomain', 'bankCode', 'missingAfterMs'],
  conformance: {
    notApplicable: { 'clock skew': 'Paystack signs its reports without a time' },
    provesReports: () => true,
  },
}

function faultOf(connection: PaystackConnection, provider: Provider): string | undefined {
  const { secretKey, unitsPerFranc } = connection
  // With a test key everybody seems to have paid.
  if (!secretKey.startsWith('sk_live_')) return 'secretKey must be the live one: sk_live_…'
  const fault = pageFault(connection)
  if (fault) return fault
  const { type, currencies } = provider
  if (type !== 'card' && nameIn(paystack.name, provider) === undefined)
    return 'the provider has no name at Paystack: reachedBy must say it in "as"'
  if (type !== 'card' && unitsPerFranc === undefined && currencies.some((each) => minorDigits(each) === 0))
    return 'unitsPerFranc must be 1 or 100, as the amounts in Paystack’s dashboard show'
  const { bankCode, providers = [] } = connection
  if (bankCode !== undefined && providers.length > 1)
    return 'bankCode is of one provider: it needs a connection of its own'
  return undefined
}
