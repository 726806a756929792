import type { Provider } from '@pesewa/connector-kit'
import { countryOfPhone, networkOf } from '@pesewa/values/phones'
import { findWrongNetwork, providersOn } from '../../rails/providers/numbers.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { findPauseMessage } from '../../rails/routing/choice.ts'
import type { DialAvailability } from '../checkout/dial-availability.ts'
import type { DialledCode } from '../payment-codes/payment-codes.ts'
import type { UssdSettings } from './settings.ts'
import type { Step } from './step.ts'

/**
 * The provider through which a phone pays a code. `pausedWords` is the operator's message if the provider is
 * paused.
 */
export type UssdProviderChoice = { provider: Provider; pausedWords: string | undefined }

/**
 * Returns the provider of the network from which the phone dials. If the aggregator's network code is unknown,
 * the prefix of the phone's number determines the provider; if the prefix is unknown, too, the first suitable
 * provider in the phone's country is returned. A paused provider is chosen only if no other one is suitable.
 * Returns `undefined` if no provider can, or may, be used for this payment.
 */
export function chooseUssdProvider(
  parts: Providers,
  { environment, phoneNumber, network }: Step,
  { code: { currency, authorizedProviders } }: DialledCode,
): UssdProviderChoice | undefined {
  const canPay = (provider: Provider) =>
    provider.currencies.includes(currency) &&
    provider.featureSet.payment.canPayFrom &&
    fitsMenu(provider) &&
    parts.connectors.isActive(provider.providerId, environment) &&
    (authorizedProviders?.includes(provider.providerId) ?? true) &&
    // If the number belongs to another network, the provider's rail would not find the account, whatever
    // network the aggregator reports.
    !findWrongNetwork(provider, phoneNumber)
  const ways = providersOfPhone(parts, phoneNumber, network)
    .filter(canPay)
    .map((provider) => {
      const { providerId } = provider
      return { provider, pausedWords: findPauseMessage(parts, { kind: 'collect', environment, providerId }) }
    })
  return ways.find((way) => way.pausedWords === undefined) ?? ways[0]
}

/**
 * Returns whether a payer can pay with this provider in a USSD session, in which they cannot be redirected to a page
 * and cannot enter a code.
 */
const fitsMenu = ({ type, featureSet: { payment } }: Provider): boolean =>
  type === 'momo' && !payment.schemes.some((scheme) => scheme === 'redirect' || scheme === 'preauth')

/**
 * Tells the payment pages whether payers can dial. In the live environment, the operator must have connected an
 * aggregator.
 */
export const openDialling = ({
  ussdSecret,
  ussdNetworks,
}: Pick<UssdSettings, 'ussdSecret' | 'ussdNetworks'>): DialAvailability => ({
  isPossible: (environment, provider) =>
    (environment === 'test' || ussdSecret !== undefined || ussdNetworks.length > 0) && fitsMenu(provider),
})

/**
 * Returns the providers to which the phone may belong, according to the aggregator's network code or, if the
 * code is unknown, to the phone's number.
 */
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
