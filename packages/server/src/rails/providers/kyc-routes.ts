import type { Provider } from '@pesewa/connector-kit'
import { type Call, type Route, read } from '../../platform/http/commands/route.ts'
import { object, pathName, text } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { readAccount } from '../connections/account.ts'
import type { Connectors } from '../connections/connectors.ts'
import { type HolderLookup, openKyc, type Verify } from './kyc.ts'
import { openKycBudget } from './kyc-budget.ts'
import type { Providers } from './providers.ts'
import type { ProviderSettings } from './settings.ts'
import { fullNames, maxAccountLength, result } from './shapes.ts'

/** Asks a provider for the holder of an account, before money is sent to the account. */
export function kycRoutes(parts: Platform<ProviderSettings> & Providers): Route[] {
  const kyc = openKyc(parts)
  const budget = openKycBudget(parts)

  async function find({ scope, tokenId, params, query }: Call<{ accountId: string }>) {
    const provider = parts.catalogue.find(params.providerId ?? '')
    if (!provider || provider.type === 'card') throw new Refusal('not_found')
    const account = accountOf(provider, query.accountId, scope)
    const verify = verifierOf(parts.connectors, provider, scope)
    await budget.spend(scope, tokenId)
    const lookup = await kyc.find(provider.providerId, scope.environment, verify, account)
    if (lookup.holder.outcome === 'missing' && !lookup.isCached) budget.countMissing(scope)
    return { provider, account, holder: lookup.holder }
  }

  return [
    read({
      url: '/v1/provider-kyc/:providerId',
      params: { providerId: pathName('ID of the provider that holds the account.', 'm17') },
      summary: 'Retrieve an account holder',
      about: 'Asks the provider who holds an account.',
      reasons: ['state_conflict'],
      permission: fullNames,
      maskedFor: 'payouts:write',
      query: object({
        accountId: text(1, maxAccountLength, {
          description: 'Phone number, account number or wallet ID, depending on the provider’s type.',
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
  const errors = [`is not a valid account for ${provider.name}`]
  throw new Refusal('arguments_invalid', { details: [{ param: 'accountId', errors }] })
}

function verifierOf(connectors: Connectors, { providerId }: Provider, { environment }: Scope): Verify {
  const open = connectors.findRoutes(providerId, environment).filter(({ isOpen }) => isOpen)
  const verify = open.find(({ connector }) => connector.verifyAccount)?.connector.verifyAccount
  if (verify && connectors.isActive(providerId, environment)) return verify
  throw new Refusal('state_conflict', { message: 'Account look-up is not available for this provider.' })
}

type VerifiedAccount = { provider: Provider; account: string; holder: HolderLookup['holder'] }

function present({ provider, account, holder }: VerifiedAccount) {
  if (holder.outcome === 'missing')
    throw new Refusal('not_found', { message: 'The provider has no such account.' })
  const name = holder.holderName
  return {
    // The name is the only personal data that rails return about an account holder.
    account: { id: account, name, holderName: name, metadata: { active: holder.isActive } },
    provider: { id: provider.providerId, type: provider.type, name: provider.name },
  }
}
