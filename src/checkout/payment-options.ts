import type { Sound } from '../platform/http/route.ts'
import type { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Provider, ProviderType } from '../providers/provider.ts'
import type { Providers } from '../providers/providers.ts'
import type { NewSession } from './shapes.ts'

/** The ways to pay that a session allows. What is not mentioned is allowed. */
export type PaymentOptions = NonNullable<NewSession['paymentOptions']>

/** Those of which some can be chosen. */
const listedTypes = ['bank', 'momo', 'wallet'] as const satisfies ProviderType[]

/** Whether these options allow a provider. One that is both enabled and disabled is enabled. */
function allowsProvider(options: Sound<PaymentOptions>, { type, providerId }: Provider): boolean {
  const choice: Sound<NonNullable<PaymentOptions['momo']>> = options[type] ?? {}
  const { disable, enabledProviders = [], disabledProviders = [] } = choice
  if (disable) return false
  if (enabledProviders.length > 0) return enabledProviders.includes(providerId)
  return !disabledProviders.includes(providerId)
}

/** Whether a session's payer finds a provider on the page. One that is paused comes back. */
export function offersProvider(
  { connectors }: Pick<Providers, 'connectors'>,
  { environment }: Pick<Scope, 'environment'>,
  { paymentOptions, currency }: { paymentOptions: Sound<PaymentOptions>; currency: string },
  provider: Provider,
): boolean {
  return (
    takes(provider, currency) &&
    allowsProvider(paymentOptions, provider) &&
    connectors.isActive(provider.providerId, environment)
  )
}

const takes = ({ currencies, featureSet }: Provider, currency: string) =>
  currencies.includes(currency) && featureSet.payment.canPayFrom

/**
 * Adds a fault for every provider that does not exist, and one when no way to pay is left, with the reason: the payer would find
 * an empty page. `currency`: the session's, as far as it has one.
 */
export function checkPaymentOptions(
  options: Sound<PaymentOptions>,
  providers: Providers,
  scope: Scope,
  currency: string | undefined,
  faults: Faults,
): void {
  const { catalogue } = providers
  const isWhole = !faults.isFaulty('paymentOptions')
  for (const type of listedTypes)
    for (const list of ['enabledProviders', 'disabledProviders'] as const)
      options[type]?.[list]?.forEach((id, i) => {
        if (id !== undefined && catalogue.find(id)?.type !== type)
          faults.add(`paymentOptions.${type}.${list}[${i}]`, `is not a ${type} provider`)
      })
  if (!isWhole) return
  const fault = emptinessOf(options, providers, scope, currency)
  if (fault) faults.add('paymentOptions', fault)
}

/** Why no provider is left, if none is: the first reason that leaves none. */
function emptinessOf(
  paymentOptions: Sound<PaymentOptions>,
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
  if (allowed.length === 0) return 'leaves no way to pay'
  if (currency === undefined) return undefined
  if (!all.some((provider) => takes(provider, currency)))
    return `leaves no way to pay: no provider takes ${currency}`
  const left = allowed.filter((provider) => takes(provider, currency))
  const leaves = `leaves no way to pay in ${currency}`
  if (left.length === 0) return leaves
  const { environment } = scope
  const isConnected = ({ providerId }: Provider) =>
    providers.connectors.roadsOf(providerId, environment).some(({ isOpen }) => isOpen)
  return left.some(isConnected)
    ? `${leaves}: every such provider is turned off`
    : `${leaves}: no such provider is connected in ${environment}`
}
