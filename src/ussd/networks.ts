import { networkOf } from '../countries/networks.ts'
import { countryOfPhone } from '../countries/phones.ts'
import type { DialledCode } from '../payment-codes/payment-codes.ts'
import { pausedWords } from '../providers/choice.ts'
import { providersOn, wrongNetworkOf } from '../providers/numbers.ts'
import type { Provider } from '../providers/provider.ts'
import type { Providers } from '../providers/providers.ts'
import type { Step } from './step.ts'

/** The provider that a phone pays a code with. `pausedWords`: the operator's, where it takes no payments now. */
export type WayToPay = { provider: Provider; pausedWords: string | undefined }

/**
 * How a phone pays this code: with the provider of the network it dials from. Where the aggregator names none that we
 * know, the beginning of the number decides, and where that is unknown too, the first provider of its country that will
 * do. One that is paused is chosen only where no other will do. `undefined`: none can take this payment, or may.
 */
export function wayToPay(
  parts: Providers,
  { environment, phoneNumber, network }: Step,
  { code: { currency, authorizedProviders } }: DialledCode,
): WayToPay | undefined {
  const canPay = (provider: Provider) =>
    provider.currencies.includes(currency) &&
    provider.featureSet.payment.canPayFrom &&
    // Who dials has no browser to be sent away with, and no place for a code.
    !provider.featureSet.payment.schemes.some((scheme) => scheme === 'redirect' || scheme === 'preauth') &&
    parts.connectors.isActive(provider.providerId, environment) &&
    (authorizedProviders?.includes(provider.providerId) ?? true) &&
    // Whatever the aggregator says, the rail has no such account.
    !wrongNetworkOf(provider, phoneNumber)
  const ways = providersOfPhone(parts, phoneNumber, network)
    .filter(canPay)
    .map((provider) => {
      const { providerId } = provider
      return { provider, pausedWords: pausedWords(parts, { kind: 'collect', environment, providerId }) }
    })
  return ways.find((way) => way.pausedWords === undefined) ?? ways[0]
}

/** Whose customer a phone may be, by the aggregator's word for its network, else by the number. */
function providersOfPhone({ catalogue }: Providers, phoneNumber: string, dialledFrom: string): Provider[] {
  const all = catalogue.list('momo')
  const named = all.filter(({ providerId, network: { codes = [] } = {} }) =>
    [providerId, ...codes].includes(dialledFrom),
  )
  if (named.length > 0) return named
  const network = networkOf(phoneNumber)
  const own = network ? providersOn({ catalogue }, network) : []
  if (own.length > 0) return own
  const country = countryOfPhone(phoneNumber)
  return all.filter((provider) => provider.country === country)
}
