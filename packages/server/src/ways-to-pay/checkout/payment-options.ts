import { type Provider, type ProviderType, providerTypes } from '@pesewa/connector-kit'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { findPauseMessage } from '../../rails/routing/choice.ts'
import type { NewSession } from './shapes.ts'

/** The payment methods that a session allows. A method that is not mentioned is allowed. */
export type PaymentOptions = NonNullable<NewSession['paymentOptions']>

/** Payment methods whose providers can be listed individually. */
const listedTypes = ['bank', 'momo', 'wallet'] as const satisfies ProviderType[]

/**
 * Returns whether these options allow a provider. A provider that is both enabled and disabled counts as
 * enabled.
 */
function allowsProvider(options: WellFormed<PaymentOptions>, { type, providerId }: Provider): boolean {
  const choice: WellFormed<NonNullable<PaymentOptions['momo']>> = options[type] ?? {}
  const { disable, enabledProviders = [], disabledProviders = [] } = choice
  if (disable) return false
  if (enabledProviders.length > 0) return enabledProviders.includes(providerId)
  return !disabledProviders.includes(providerId)
}

/**
 * Returns the ids of the mobile money providers that a session allows, or null if it allows all of them, including
 * those that are added later.
 */
export function findAllowedMomo(
  catalogue: Providers['catalogue'],
  { paymentOptions, currency }: { paymentOptions: PaymentOptions; currency: string },
): string[] | null {
  if (!paymentOptions.momo) return null
  return catalogue
    .list('momo')
    .filter((each) => supportsCurrency(each, currency) && allowsProvider(paymentOptions, each))
    .map(({ providerId }) => providerId)
}

/** A provider that the payer can choose. */
export type Offer = {
  provider: Provider
  /** Path of the provider's logo on this server. */
  logo: string | undefined
  /** Paths of the logos of the card networks; empty unless the provider accepts cards. */
  networkLogos: string[]
  /** The operator's message for payers, if the provider is paused. */
  unavailable: string | undefined
  /** Origins of the provider's own pages, to which it may send the payer. */
  pageOrigins: string[]
}

/**
 * Returns the providers that the payer can choose for a session. They are allowed and connected, can collect
 * payments, and support the session's currency. The most likely ones come first: mobile money, then providers
 * in the payer's country.
 */
export function findOffers(
  parts: Providers,
  { environment }: Scope,
  session: { paymentOptions: PaymentOptions; currency: string },
  payerCountry: string,
): Offer[] {
  const unlikelihood = ({ type, country }: Provider) =>
    (type === 'momo' ? 0 : 2) + (country === payerCountry ? 0 : 1)
  return providerTypes
    .flatMap((type) => parts.catalogue.list(type))
    .filter((provider) => offersProvider(parts, { environment }, session, provider))
    .toSorted((a, b) => unlikelihood(a) - unlikelihood(b))
    .map((provider) => {
      const { providerId } = provider
      return {
        provider,
        logo: parts.catalogue.logoOf(providerId)?.path,
        networkLogos: provider.type === 'card' ? networkLogos(parts.catalogue) : [],
        unavailable: findPauseMessage(parts, { kind: 'collect', environment, providerId }),
        pageOrigins: parts.connectors
          .findRoutes(providerId, environment)
          .flatMap(({ connector }) => connector.pageOrigin ?? []),
      }
    })
}

const networkLogos = (catalogue: Providers['catalogue']) =>
  ['visa', 'mastercard'].flatMap((network) => catalogue.logoOf(network)?.path ?? [])

/**
 * Returns whether a session's page lists a provider. Paused providers are listed, too, but shown as
 * unavailable.
 */
function offersProvider(
  { connectors }: Pick<Providers, 'connectors'>,
  { environment }: Pick<Scope, 'environment'>,
  { paymentOptions, currency }: { paymentOptions: WellFormed<PaymentOptions>; currency: string },
  provider: Provider,
): boolean {
  return (
    supportsCurrency(provider, currency) &&
    allowsProvider(paymentOptions, provider) &&
    connectors.isActive(provider.providerId, environment)
  )
}

const supportsCurrency = ({ currencies, featureSet }: Provider, currency: string) =>
  currencies.includes(currency) && featureSet.payment.canPayFrom

/**
 * Adds an issue for each unknown provider. If no payment method is left, also adds an issue with the reason,
 * because the payer would see an empty page. `currency` is the currency of the session, if it is valid.
 */
export function checkPaymentOptions(
  options: WellFormed<PaymentOptions>,
  providers: Providers,
  scope: Scope,
  currency: string | undefined,
  issues: Issues,
): void {
  const { catalogue } = providers
  const isWhole = !issues.hasIssue('paymentOptions')
  for (const type of listedTypes)
    for (const list of ['enabledProviders', 'disabledProviders'] as const)
      options[type]?.[list]?.forEach((id, i) => {
        if (id !== undefined && catalogue.find(id)?.type !== type)
          issues.add(`paymentOptions.${type}.${list}[${i}]`, `is not a ${type} provider`)
      })
  if (!isWhole) return
  const fault = whyNoProvider(options, providers, scope, currency)
  if (fault) issues.add('paymentOptions', fault)
}

/**
 * Returns the first restriction that rules out all remaining providers, or `undefined` if at least one provider
 * is left.
 */
function whyNoProvider(
  paymentOptions: WellFormed<PaymentOptions>,
  providers: Providers,
  scope: Scope,
  currency: string | undefined,
): string | undefined {
  const all = providers.catalogue.all()
  if (
    currency !== undefined &&
    all.some((each) => offersProvider(providers, scope, { paymentOptions, currency }, each))
  )
    return undefined
  const allowed = all.filter((provider) => allowsProvider(paymentOptions, provider))
  if (allowed.length === 0) return 'leaves no payment method'
  if (currency === undefined) return undefined
  if (!all.some((provider) => supportsCurrency(provider, currency)))
    return `leaves no payment method: no provider supports ${currency}`
  const left = allowed.filter((provider) => supportsCurrency(provider, currency))
  const leaves = `leaves no payment method for ${currency}`
  if (left.length === 0) return leaves
  const { environment } = scope
  const isConnected = ({ providerId }: Provider) =>
    providers.connectors.findRoutes(providerId, environment).some(({ isOpen }) => isOpen)
  return left.some(isConnected)
    ? `${leaves}: all matching providers are turned off`
    : `${leaves}: no matching provider is connected in ${environment}`
}
