import type { Provider } from '@pesewa/connector-kit'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Issues } from '../../platform/refusals.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { accountFields, readAccount } from '../../rails/connections/account.ts'
import type { Connectors } from '../../rails/connections/connectors.ts'
import { findWrongNetwork } from '../../rails/providers/numbers.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { DestinationType } from './store.ts'

/** The destination in a request. The account is in the field for its type. */
export type Destination = { type: DestinationType; providerId: string } & { [field in AccountField]?: string }

export type Payee = { type: DestinationType; providerId: string; account: string }

type AccountField = (typeof accountFields)[DestinationType]

const accountErrors = {
  momo: 'is not a phone number in the provider’s country',
  bank: 'must be an account number of 6 to 20 digits and letters',
  wallet: 'must be a wallet id of 3 to 64 characters',
} as const

/**
 * Returns the payee of a payout, or `undefined` if it is not valid. Adds an issue for each error that can be
 * found.
 */
export function readDestination(
  parts: Providers,
  { environment }: Scope,
  destination: WellFormed<Destination> = {},
  currency: string | undefined,
  issues: Issues,
): Payee | undefined {
  const provider = readProvider(parts, environment, destination, issues)
  if (provider && currency !== undefined && !provider.currencies.includes(currency)) {
    const taken = provider.currencies.join(', ')
    issues.add('amount.currency', `is not accepted by ${provider.providerId}; it accepts ${taken}`)
  }
  const { type } = destination
  if (type === undefined) return undefined
  checkFields(type, destination, issues)
  const field = accountFields[type]
  const typed = destination[field]
  if (typed === undefined) return undefined
  // If the provider is not valid, the account is checked against all providers of its type.
  const accounts = (provider ? [provider] : parts.catalogue.list(type)).flatMap(
    (one) => readAccount(one, typed, environment) ?? [],
  )
  const [account] = accounts
  if (account === undefined) issues.add(`destination.${field}`, accountErrors[type])
  else if (provider) checkNetwork(provider, account, issues)
  return account === undefined || !provider ? undefined : { type, providerId: provider.providerId, account }
}

function readProvider(
  { catalogue, connectors }: Providers,
  environment: Environment,
  { type, providerId }: WellFormed<Destination>,
  issues: Issues,
): Provider | undefined {
  if (providerId === undefined) return undefined
  const param = 'destination.providerId'
  const provider = catalogue.find(providerId)
  if (!provider || (type !== undefined && provider.type !== type)) {
    issues.add(param, type === undefined ? 'is not a provider' : `is not a ${type} provider`)
    return undefined
  }
  if (!provider.featureSet.payout.canPayTo) issues.add(param, 'does not support payouts')
  else if (!canDisburse(connectors, providerId, environment)) issues.add(param, 'is not currently available')
  return provider
}

const canDisburse = (connectors: Connectors, providerId: string, environment: Environment) =>
  connectors.isActive(providerId, environment) &&
  connectors.findRoutes(providerId, environment).some(({ isOpen, connector }) => isOpen && connector.disburse)

/**
 * Adds an issue if a phone number belongs to another network. This is checked before any money is held, because
 * otherwise the rail would refuse the payout, perhaps days later.
 */
function checkNetwork(provider: Provider, phoneNumber: string, issues: Issues): void {
  const network = findWrongNetwork(provider, phoneNumber)
  if (network)
    issues.add(
      'destination.phoneNumber',
      `belongs to ${network.name}, not to ${provider.name}; see GET /v1/phone-numbers/${phoneNumber} for its providers`,
    )
}

function checkFields(type: DestinationType, destination: WellFormed<Destination>, issues: Issues): void {
  for (const [other, field] of Object.entries(accountFields)) {
    const param = `destination.${field}`
    if (other !== type && destination[field] !== undefined)
      issues.add(param, `is not a field of a ${type} destination`)
    if (other === type && destination[field] === undefined && !issues.hasIssue(param))
      issues.add(param, 'is required')
  }
}
