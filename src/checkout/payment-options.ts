import type { Sound } from '../platform/http/route.ts'
import type { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { type Provider, type ProviderType, providerTypes } from '../providers/provider.ts'
import type { Providers } from '../providers/providers.ts'
import type { NewSession } from './shapes.ts'

/** The ways to pay that a session allows. What is not mentioned is allowed. */
export type PaymentOptions = NonNullable<NewSession['paymentOptions']>

/** Those of which some can be chosen. */
const listedTypes = ['bank', 'momo', 'wallet'] as const satisfies ProviderType[]

/** Whether these options allow a provider. One that is both enabled and disabled is enabled. */
export function allowsProvider(options: Sound<PaymentOptions>, { type, providerId }: Provider): boolean {
  const choice: Sound<NonNullable<PaymentOptions['momo']>> = options[type] ?? {}
  const { disable, enabledProviders = [], disabledProviders = [] } = choice
  if (disable) return false
  if (enabledProviders.length > 0) return enabledProviders.includes(providerId)
  return !disabledProviders.includes(providerId)
}

/**
 * Adds a fault for every provider that does not exist, and one when no way to pay is left: none at all, none that
 * takes the session's currency where some would, or in live none that is connected.
 */
export function checkPaymentOptions(
  options: Sound<PaymentOptions>,
  { catalogue, connectors }: Providers,
  { environment }: Scope,
  currency: string | undefined,
  faults: Faults,
): void {
  const isWhole = !faults.isFaulty('paymentOptions')
  for (const type of listedTypes)
    for (const list of ['enabledProviders', 'disabledProviders'] as const)
      options[type]?.[list]?.forEach((id, i) => {
        if (id !== undefined && catalogue.find(id)?.type !== type)
          faults.add(`paymentOptions.${type}.${list}[${i}]`, `is not a ${type} provider`)
      })
  if (!isWhole) return
  const all = providerTypes.flatMap((type) => catalogue.list(type))
  const allowed = all.filter((provider) => allowsProvider(options, provider))
  const isConnected = ({ providerId }: Provider) =>
    connectors.roadsOf(providerId, environment).some(({ isOpen }) => isOpen)
  const takes = ({ currencies }: Provider) => currency !== undefined && currencies.includes(currency)
  if (allowed.length === 0) faults.add('paymentOptions', 'leaves no way to pay')
  else if (all.some(takes) && !allowed.some(takes))
    faults.add('paymentOptions', `leaves no way to pay in ${currency}`)
  // The payer would find an empty page. In test the simulator stands behind every provider.
  else if (
    environment === 'live' &&
    currency !== undefined &&
    !allowed.some((provider) => takes(provider) && isConnected(provider))
  )
    faults.add('paymentOptions', `leaves no way to pay in ${currency}: no such provider is connected in live`)
}
