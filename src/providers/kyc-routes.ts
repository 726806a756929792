import Type from 'typebox'
import { personal } from '../platform/http/personal.ts'
import { type Call, type Route, read } from '../platform/http/route.ts'
import { described, explained, freeObject, object, pathName, text } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { readAccount } from './account.ts'
import type { Connectors } from './connectors.ts'
import { type HolderLookup, openKyc, type Verify } from './kyc.ts'
import { openKycBudget } from './kyc-budget.ts'
import { type Provider, providerTypes } from './provider.ts'
import type { Providers } from './providers.ts'
import type { ProviderSettings } from './settings.ts'

const maxAccountLength = 64 // limit: an account whose holder is looked up

const fullNames = 'provider-kyc:read'
const holderName = personal(Type.String({ examples: ['Aminata Kamara'] }), 'name', fullNames)

const result = object(
  {
    account: described(
      object({
        id: Type.String({
          description: 'As payouts take it: a phone number in E.164.',
          examples: ['+23276123456'],
        }),
        name: described(holderName, 'The holder’s name; masked for callers without `provider-kyc:read`.'),
        holderName: described(holderName, 'The same name.'),
        metadata: described(
          freeObject,
          '`active`: whether the account can be paid to; null where the provider does not say.',
        ),
      }),
      'The account that was looked up.',
    ),
    provider: described(
      object({
        id: described(Type.String({ examples: ['m17'] }), 'The id of the provider.'),
        type: explained(Type.Enum(providerTypes), 'What kind of account it has.', {
          momo: 'phones with mobile money',
          bank: 'bank accounts',
          wallet: 'wallets',
          card: 'cards',
        }),
        name: described(Type.String({ examples: ['Orange Money'] }), 'What people know it by.'),
      }),
      'Who holds the account.',
    ),
  },
  { title: 'ProviderKyc' },
)

/** The holder of an account, as its provider says: to be looked up before money is sent there. */
export function kycRoutes(parts: Platform<ProviderSettings> & Providers): Route[] {
  const kyc = openKyc(parts)
  const budget = openKycBudget(parts.settings, parts.metrics)

  async function find({ scope, tokenId, params, query }: Call<{ accountId: string }>) {
    const provider = parts.catalogue.find(params.providerId ?? '')
    if (!provider || provider.type === 'card') throw new Refusal('not_found')
    const account = accountOf(provider, query.accountId, scope)
    const verify = verifierOf(parts.connectors, provider, scope)
    budget.spend(scope, tokenId)
    const lookup = await kyc.find(provider.providerId, scope.environment, verify, account)
    if (lookup.holder.outcome === 'missing' && !lookup.isCached) budget.countMissing(scope)
    return { provider, account, holder: lookup.holder }
  }

  return [
    read({
      url: '/v1/provider-kyc/:providerId',
      params: { providerId: pathName('The id of the provider that holds the account.', 'm17') },
      summary: 'Look up whose account it is',
      reasons: ['state_conflict'],
      permission: fullNames,
      maskedFor: 'payouts:write',
      query: object({
        accountId: text(1, maxAccountLength, {
          description: 'A phone number, an account number or a wallet id, as the provider’s type has it.',
          examples: ['+23276123456'],
        }),
      }),
      result,
      read: async (call) => present(await find(call)),
    }),
  ]
}

function accountOf(provider: Provider, typed: string, { environment }: Scope): string {
  const account = readAccount(provider, typed, environment)
  if (account) return account
  const errors = [`cannot be an account of ${provider.name}`]
  throw new Refusal('arguments_invalid', { details: [{ param: 'accountId', errors }] })
}

function verifierOf(connectors: Connectors, { providerId }: Provider, { environment }: Scope): Verify {
  const open = connectors.roadsOf(providerId, environment).filter(({ isOpen }) => isOpen)
  const verify = open.find(({ connector }) => connector.verifyAccount)?.connector.verifyAccount
  if (verify && connectors.isActive(providerId, environment)) return verify
  throw new Refusal('state_conflict', { message: 'This provider does not look up account holders here.' })
}

type VerifiedAccount = { provider: Provider; account: string; holder: HolderLookup['holder'] }

function present({ provider, account, holder }: VerifiedAccount) {
  if (holder.outcome === 'missing')
    throw new Refusal('not_found', { message: 'The provider has no such account.' })
  const name = holder.holderName
  return {
    // The rails know an account by its holder's name only.
    account: { id: account, name, holderName: name, metadata: { active: holder.isActive } },
    provider: { id: provider.providerId, type: provider.type, name: provider.name },
  }
}
