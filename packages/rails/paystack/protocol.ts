import { nameIn, type Protocol, type Provider, pageFault, simulatedTimeoutMs } from '@pesewa/connector-kit'
import { minorDigits } from '@pesewa/values'
import { createPaystack } from './connector.ts'
import { type PaystackConnection, paystackFields } from './settings.ts'
import { simulatedSecretKey } from './test-keys.ts'

/**
 * Time until a refund that is not in Paystack's list is considered missing. Refunds cannot be looked up by our
 * reference, so a delay in the list must not lead to a second refund.
 */
const liveMissingAfterMs = 15 * 60_000

/** The bank code that all simulated banks share. */
export const simulatedBankCode = '058'

const ownPageOrigin = 'https://checkout.paystack.com'

/** Paystack: wallets, USSD bank payments and cards in Nigeria, Ghana, Kenya and Côte d’Ivoire. */
export const paystack: Protocol<PaystackConnection> = {
  name: 'paystack',
  fields: paystackFields,
  findIssue,
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
  callFields: ['pageOrigin', 'emailDomain', 'bankCode', 'missingAfterMs'],
  conformance: {
    notApplicable: { 'clock skew': 'Paystack’s reports contain no signed time' },
    provesReports: () => true,
  },
}

function findIssue(connection: PaystackConnection, provider: Provider): string | undefined {
  const { secretKey, unitsPerFranc } = connection
  // With a test key, all payments would appear to succeed.
  if (!secretKey.startsWith('sk_live_')) return 'secretKey must be a live key, which begins with sk_live_'
  const fault = pageFault(connection)
  if (fault) return fault
  const { type, currencies } = provider
  if (type !== 'card' && nameIn(paystack.name, provider) === undefined)
    return 'the provider has no Paystack name; set it as "as" in reachedBy'
  if (type !== 'card' && unitsPerFranc === undefined && currencies.some((each) => minorDigits(each) === 0))
    return 'unitsPerFranc must be 1 or 100; compare amounts with those in Paystack’s dashboard to find out which'
  const { bankCode, providers = [] } = connection
  if (bankCode !== undefined && providers.length > 1)
    return 'bankCode can only be set in a connection to a single provider'
  return undefined
}
