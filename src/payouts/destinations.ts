import type { Scope } from '../platform/clock.ts'
import type { Faults } from '../platform/refusals.ts'
import { readAccount } from '../providers/account.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import type { DestinationType } from './store.ts'

export type DestinationParts = { catalogue: Catalogue; connectors: Connectors }

/** Where the money goes, as a request says it: the account stands in the field of its type. */
export type Destination = { type: DestinationType; providerId: string } & { [field in AccountField]?: string }

export type Payee = { type: DestinationType; providerId: string; account: string }

const accountFields = { momo: 'phoneNumber', bank: 'accountNumber', wallet: 'walletId' } as const
type AccountField = (typeof accountFields)[DestinationType]

const wrong = {
  momo: 'is not a phone number of the provider’s country',
  bank: 'is not an account number of 6 to 20 digits and letters',
  wallet: 'is not a wallet id of 3 to 64 characters',
} as const

/** Whom a payout is for; adds a fault for everything that stands against it. */
export function readDestination(
  { catalogue, connectors }: DestinationParts,
  { environment }: Scope,
  destination: Destination,
  currency: string,
  faults: Faults,
): Payee | undefined {
  const { type, providerId } = destination
  checkFields(destination, faults)
  const provider = catalogue.find(providerId)
  if (provider?.type !== type) {
    faults.add('destination.providerId', `is not a ${type} provider`)
    return undefined
  }
  if (!provider.featureSet.payout.canPayTo) faults.add('destination.providerId', 'cannot be paid to')
  else if (!canDisburse(connectors, providerId, environment))
    faults.add('destination.providerId', 'is not available now')
  if (!provider.currencies.includes(currency))
    faults.add('amount.currency', `is not taken by ${providerId}: it takes ${provider.currencies.join(', ')}`)
  const field = accountFields[type]
  const typed = destination[field]
  const account = typed === undefined ? undefined : readAccount(provider, typed, environment)
  if (typed !== undefined && account === undefined) faults.add(`destination.${field}`, wrong[type])
  return account === undefined ? undefined : { type, providerId, account }
}

const canDisburse = (connectors: Connectors, providerId: string, environment: Scope['environment']) =>
  connectors.isActive(providerId, environment) &&
  connectors.connectorOf(providerId, environment)?.disburse !== undefined

function checkFields(destination: Destination, faults: Faults): void {
  for (const [type, field] of Object.entries(accountFields)) {
    if (type === destination.type && destination[field] === undefined)
      faults.add(`destination.${field}`, 'is required')
    if (type !== destination.type && destination[field] !== undefined)
      faults.add(`destination.${field}`, `is not a field of a ${destination.type} destination`)
  }
}
