import type { Sound } from '../platform/http/route.ts'
import type { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { accountFields, readAccount } from '../providers/account.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import type { Provider } from '../providers/provider.ts'
import type { DestinationType } from './store.ts'

export type DestinationParts = { catalogue: Catalogue; connectors: Connectors }

/** Where the money goes, as a request says it: the account stands in the field of its type. */
export type Destination = { type: DestinationType; providerId: string } & { [field in AccountField]?: string }

export type Payee = { type: DestinationType; providerId: string; account: string }

type AccountField = (typeof accountFields)[DestinationType]

const wrong = {
  momo: 'is not a phone number of the provider’s country',
  bank: 'is not an account number of 6 to 20 digits and letters',
  wallet: 'is not a wallet id of 3 to 64 characters',
} as const

/** Whom a payout is for; adds a fault for everything that stands against it, as far as it can be judged. */
export function readDestination(
  parts: DestinationParts,
  scope: Scope,
  destination: Sound<Destination> | undefined,
  currency: string | undefined,
  faults: Faults,
): Payee | undefined {
  const provider = readProvider(parts, scope, destination ?? {}, faults)
  if (provider && currency !== undefined && !provider.currencies.includes(currency)) {
    const taken = provider.currencies.join(', ')
    faults.add('amount.currency', `is not taken by ${provider.providerId}: it takes ${taken}`)
  }
  if (destination?.type === undefined) return undefined
  const { type } = destination
  const account = readAccountOf(parts, scope, { ...destination, type }, provider, faults)
  return account === undefined || !provider ? undefined : { type, providerId: provider.providerId, account }
}

function readProvider(
  { catalogue, connectors }: DestinationParts,
  { environment }: Scope,
  { type, providerId }: Sound<Destination>,
  faults: Faults,
): Provider | undefined {
  if (providerId === undefined) return undefined
  const provider = catalogue.find(providerId)
  if (!provider || (type !== undefined && provider.type !== type)) {
    faults.add(
      'destination.providerId',
      type === undefined ? 'is not a provider' : `is not a ${type} provider`,
    )
    return undefined
  }
  if (!provider.featureSet.payout.canPayTo) faults.add('destination.providerId', 'cannot be paid to')
  else if (!canDisburse(connectors, providerId, environment))
    faults.add('destination.providerId', 'is not available now')
  return provider
}

/** Where no provider is known, the account may be one of any of the kind. */
function readAccountOf(
  { catalogue }: DestinationParts,
  { environment }: Scope,
  destination: Sound<Destination> & Pick<Destination, 'type'>,
  provider: Provider | undefined,
  faults: Faults,
): string | undefined {
  checkFields(destination, faults)
  const field = accountFields[destination.type]
  const typed = destination[field]
  if (typed === undefined) return undefined
  const providers = provider ? [provider] : catalogue.list(destination.type)
  const account = providers
    .map((one) => readAccount(one, typed, environment))
    .find((read) => read !== undefined)
  if (account === undefined) faults.add(`destination.${field}`, wrong[destination.type])
  return account
}

const canDisburse = (connectors: Connectors, providerId: string, environment: Scope['environment']) =>
  connectors.isActive(providerId, environment) &&
  connectors.connectorOf(providerId, environment)?.disburse !== undefined

function checkFields(destination: Sound<Destination> & Pick<Destination, 'type'>, faults: Faults): void {
  for (const [type, field] of Object.entries(accountFields)) {
    const param = `destination.${field}`
    if (type === destination.type && destination[field] === undefined && !faults.isFaulty(param))
      faults.add(param, 'is required')
    if (type !== destination.type && destination[field] !== undefined)
      faults.add(param, `is not a field of a ${destination.type} destination`)
  }
}
