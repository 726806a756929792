import { countryOfPhone } from '../countries/phones.ts'
import type { DialledCode } from '../payment-codes/payment-codes.ts'
import type { Environment } from '../platform/scope.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import type { Provider } from '../providers/provider.ts'

export type NetworkParts = { catalogue: Catalogue; connectors: Connectors }

/** What is to be paid, and whom the merchant lets pay it; `null`: every provider. */
type Wanted = { environment: Environment; currency: string; authorizedProviders: string[] | null }

/** Whom a phone would pay this code with. */
export const providerFor = (
  parts: NetworkParts,
  phone: { environment: Environment; phoneNumber: string; network: string },
  { code }: DialledCode,
): Provider | undefined => providerOf(parts, { environment: phone.environment, ...code }, phone)

/**
 * The provider that a phone pays with: that of the network it dials from. Where the aggregator names none that we
 * know, the beginning of the number tells, and where that is unknown too, the first provider of its country that will
 * do. `undefined`: none of them can take this payment, or may.
 */
function providerOf(
  { catalogue, connectors }: NetworkParts,
  { environment, currency, authorizedProviders }: Wanted,
  phone: { phoneNumber: string; network: string },
): Provider | undefined {
  const all = catalogue.list('momo')
  const canPay = ({ providerId, currencies }: Provider) =>
    currencies.includes(currency) &&
    connectors.isActive(providerId, environment) &&
    (authorizedProviders?.includes(providerId) ?? true)
  const known =
    all.find(
      ({ providerId, network }) => providerId === phone.network || network?.codes.includes(phone.network),
    ) ??
    all.find(({ network }) => network?.prefixes.some((prefix) => phone.phoneNumber.startsWith(`+${prefix}`)))
  if (known) return canPay(known) ? known : undefined
  const country = countryOfPhone(phone.phoneNumber)
  return all.find((provider) => provider.country === country && canPay(provider))
}
