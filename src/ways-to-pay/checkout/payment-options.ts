import type { Provider, ProviderType } from '@pesewa/connector-kit'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
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
 * Returns whether a session's page lists a provider. Paused providers are listed, too, but shown as
 * unavailable.
 */
export function offersProvider(
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
