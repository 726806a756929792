import { networkOf } from '../countries/networks.ts'
import { countryOfPhone } from '../countries/phones.ts'
import type { DialledCode } from '../payment-codes/payment-codes.ts'
import { providersOn } from '../providers/numbers.ts'
import type { Provider } from '../providers/provider.ts'
import type { Providers } from '../providers/providers.ts'
import type { Step } from './step.ts'

/**
 * The provider that a phone pays this code with: that of the network it dials from. Where the aggregator names none that
 * we know, the beginning of the number decides, and where that is unknown too, the first provider of its country that will
 * do. `undefined`: none of them can take this payment, or may.
 */
export function providerFor(
  { catalogue, connectors }: Providers,
  { environment, phoneNumber, network: dialledFrom }: Step,
  { code: { currency, authorizedProviders } }: DialledCode,
): Provider | undefined {
  const all = catalogue.list('momo')
  const canPay = ({ providerId, currencies, featureSet: { payment } }: Provider) =>
    currencies.includes(currency) &&
    payment.canPayFrom &&
    // Who dials has no browser to be sent away with.
    !payment.schemes.includes('redirect') &&
    connectors.isActive(providerId, environment) &&
    (authorizedProviders?.includes(providerId) ?? true)
  const network = networkOf(phoneNumber)
  const own =
    all.find(({ providerId, network: { codes = [] } = {} }) =>
      [providerId, ...codes].includes(dialledFrom),
    ) ??
    (network && providersOn({ catalogue }, network)[0])
  if (own) return canPay(own) ? own : undefined
  const country = countryOfPhone(phoneNumber)
  return all.find((provider) => provider.country === country && canPay(provider))
}
