import type { Faults } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Provider, ProviderType } from '../providers/provider.ts'

type ProviderChoice = { disable?: boolean; enabledProviders?: string[]; disabledProviders?: string[] }

/** Which ways to pay a session allows. What is not mentioned is allowed. */
export type PaymentOptions = {
  card?: { disable?: boolean }
  bank?: ProviderChoice
  momo?: ProviderChoice
  wallet?: ProviderChoice
}

const providerTypes = ['bank', 'momo', 'wallet'] as const satisfies ProviderType[]

/** Whether these options allow a provider. One that is both enabled and disabled is enabled. */
export function allowsProvider(options: PaymentOptions, { type, providerId }: Provider): boolean {
  const { disable, enabledProviders = [], disabledProviders = [] }: ProviderChoice = options[type] ?? {}
  if (disable) return false
  if (enabledProviders.length > 0) return enabledProviders.includes(providerId)
  return !disabledProviders.includes(providerId)
}

/** Adds a fault for every provider that does not exist, and one when no way to pay is left. */
export function checkPaymentOptions(options: PaymentOptions, catalogue: Catalogue, faults: Faults): void {
  for (const type of providerTypes)
    for (const list of ['enabledProviders', 'disabledProviders'] as const)
      options[type]?.[list]?.forEach((id, i) => {
        if (catalogue.find(id)?.type !== type)
          faults.add(`paymentOptions.${type}.${list}[${i}]`, `is not a ${type} provider`)
      })
  const anyLeft =
    !options.card?.disable ||
    providerTypes.some((type) => catalogue.list(type).some((provider) => allowsProvider(options, provider)))
  if (!anyLeft) faults.add('paymentOptions', 'leaves no way to pay')
}
