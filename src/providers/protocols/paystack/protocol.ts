import { minorDigits } from '../../../countries/money.ts'
import { isRailAddress } from '../../connection-fields.ts'
import { type Protocol, simulatedTimeoutMs } from '../../protocol.ts'
import { nameIn, type Provider } from '../../provider.ts'
import { createPaystack } from './connector.ts'
import { type PaystackConnection, paystackFields } from './settings.ts'
import { simulatedSecretKey } from './test-keys.ts'

const ownPageOrigin = 'https://checkout.paystack.com'

/** Paystack: wallets, dialled bank payments and cards in Nigeria, Ghana, Kenya and Côte d’Ivoire. */
export const paystack: Protocol<PaystackConnection> = {
  name: 'paystack',
  fields: paystackFields,
  faultOf,
  connect(connection, provider, peer) {
    const { baseUrl, secretKey, bankCode, unitsPerFranc, timeoutMs } = connection
    const { pageOrigin = ownPageOrigin, emailDomain = 'payers.example' } = connection
    const { type, country } = provider
    const as = nameIn(paystack.name, provider)
    const own = { baseUrl, secretKey, pageOrigin, emailDomain, timeoutMs, unitsPerFranc, type, country, as }
    return createPaystack({ ...own, ...(bankCode && { bankCode }) }, peer)
  },
  testConnection: ({ providerId }, { simulatorUrl, baseUrl, seals }) => ({
    baseUrl: `${simulatorUrl}/paystack/${providerId}`,
    secretKey: simulatedSecretKey(seals),
    pageOrigin: new URL(baseUrl).origin,
    unitsPerFranc: 100,
    timeoutMs: simulatedTimeoutMs,
  }),
  manners: ['pageOrigin', 'emailDomain', 'bankCode'],
  conformance: { notApplicable: { 'clock skew': 'Paystack signs its reports without a time' } },
}

function faultOf(
  { secretKey, pageOrigin, unitsPerFranc }: PaystackConnection,
  provider: Provider,
): string | undefined {
  // With a test key everybody seems to have paid.
  if (!secretKey.startsWith('sk_live_')) return 'secretKey must be the live one: sk_live_…'
  if (
    pageOrigin !== undefined &&
    !(isRailAddress(pageOrigin) && URL.parse(pageOrigin)?.origin === pageOrigin)
  )
    return 'pageOrigin must be an https origin, like https://checkout.paystack.com'
  const { type, currencies } = provider
  if (type !== 'card' && nameIn(paystack.name, provider) === undefined)
    return 'the provider has no name at Paystack: reachedBy must say it in "as"'
  if (type !== 'card' && unitsPerFranc === undefined && currencies.some((each) => minorDigits(each) === 0))
    return 'unitsPerFranc must be 1 or 100, as the amounts in Paystack’s dashboard show'
  return undefined
}
