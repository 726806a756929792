import { type Provider, providerTypes } from '@pesewa/connector-kit'
import { callingCode, networkOf } from '@pesewa/values/phones'
import { timeZoneOf } from '../../countries/time-zones.ts'
import type { Payer } from '../../money/payments/channel.ts'
import { readAccount } from '../../rails/connections/account.ts'
import type { NumberDoubt } from '../../rails/providers/numbers.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { findPauseMessage } from '../../rails/routing/choice.ts'
import type { Visit } from './page-state.ts'
import { countryName, type Language } from './pages/language.ts'
import { type AccountField, accountFields, type CheckoutState, type FormIssue } from './pages/view.ts'
import { offersProvider } from './payment-options.ts'

// Determines which providers a payer can choose, and how the form identifies the payer's account.

/** The fields of the posted form. A missing field is an empty string. */
export type PostedForm = Record<'provider' | AccountField, string>

type ChoiceContext = {
  language: Language
  formToken: string
  /** Returns the path of a provider's logo on this server. */
  logoOf: (providerId: string) => string | undefined
}

type RetryOptions = {
  posted?: PostedForm
  fault?: FormIssue
  /** The provider that was last used in this browser, according to its cookie, which is untrusted. */
  remembered?: string | undefined
  /** True if the last attempt was made in this browser. */
  isTheirs?: boolean
}

export function chooseState(
  visit: Visit,
  providers: Provider[],
  unavailable: Map<Provider, string>,
  { language, formToken, logoOf }: ChoiceContext,
  again: RetryOptions = {},
): CheckoutState {
  const { key, session, space, attempt } = visit
  const first = chooseDefaultProvider(
    providers.filter((provider) => !unavailable.has(provider)),
    visit,
    again,
  )
  const failed = attempt && {
    id: attempt.providerId,
    type: attempt.channelType,
    account: attempt.payerAccount,
  }
  const countries = new Set(
    providers.filter(({ type }) => type !== 'card').map((provider) => provider.country),
  )
  const dialCodes = new Set(
    providers.filter(({ type }) => type === 'momo').map(({ country }) => `+${callingCode(country)}`),
  )
  const [dialCode] = dialCodes
  return {
    kind: 'choose',
    payAction: `/pay/${key}`,
    cancelAction: `/pay/${key}/cancel`,
    providers: firstThen(first, providers).map((provider) => {
      const { providerId: id, type, color } = provider
      const logo = logoOf(id)
      return {
        id,
        name: nameOf(provider, countries.size > 1 && type !== 'card', language),
        type,
        ...(unavailable.has(provider) && { unavailable: unavailable.get(provider) ?? '' }),
        ...(color !== undefined && { color }),
        ...(logo !== undefined && { logo }),
        ...(provider.featureSet.payment.schemes.includes('redirect') && { hasPage: true }),
      }
    }),
    // An account is shown only in the browser in which it was entered, because anyone with the link could otherwise
    // read it.
    ...(failed &&
      again.isTheirs &&
      failed.type !== 'card' && { [accountFields[failed.type]]: failed.account ?? '' }),
    ...again.posted,
    ...(first && { provider: first.providerId }),
    ...(dialCode && dialCodes.size === 1 && { dialCode }),
    expiry: { at: session.expiresAt, timeZone: timeZoneOf(space.country) },
    ...(attempt?.failureCode &&
      !again.fault && { failure: { code: attempt.failureCode, type: attempt.channelType } }),
    ...(again.fault && { fault: again.fault }),
    formToken,
  }
}

/**
 * Returns the provider to list first and preselect. In order of precedence, this is the provider in the posted
 * form, the provider of the last attempt, the network of the posted number, the provider last used in this
 * browser, or the most likely one.
 */
function chooseDefaultProvider(
  available: Provider[],
  { attempt }: Visit,
  { posted, remembered }: RetryOptions,
): Provider | undefined {
  const byId = (id: string | undefined) => available.find(({ providerId }) => providerId === id)
  return (
    byId(posted?.provider) ??
    byId(attempt?.providerId) ??
    (posted && available.find((provider) => isOnNetworkOf(provider, posted.phone))) ??
    byId(remembered) ??
    available[0]
  )
}

function isOnNetworkOf(provider: Provider, phone: string): boolean {
  if (provider.type !== 'momo' || !provider.network) return false
  const number = readAccount(provider, phone, 'live')
  const network = number === undefined ? undefined : networkOf(number)
  return network?.codes.some((code) => provider.network?.codes.includes(code)) === true
}

/** Moves a provider, and with it its payment method, to the front of the list. */
const firstThen = (first: Provider | undefined, providers: Provider[]) =>
  first ? [first, ...providers.filter((provider) => provider !== first)] : providers

/**
 * Returns the name of a provider. If providers from several countries are listed, the country is added, because
 * providers in different countries may have the same name.
 */
const nameOf = ({ name, country }: Provider, isAmbiguous: boolean, language: Language) =>
  isAmbiguous ? `${name}, ${countryName(country, language)}` : name

/**
 * Returns the providers that the payer can choose for the session. They are allowed and connected, can collect
 * payments, and support the session's currency. The most likely ones come first: mobile money, then providers
 * in the payer's country.
 */
export function offeredProviders(
  { scope, session, payerCountry }: Visit,
  providers: Pick<Providers, 'catalogue' | 'connectors'>,
): Provider[] {
  const unlikelihood = ({ type, country }: Provider) =>
    (type === 'momo' ? 0 : 2) + (country === payerCountry ? 0 : 1)
  return providerTypes
    .flatMap((type) => providers.catalogue.list(type))
    .filter((provider) => offersProvider(providers, scope, session, provider))
    .toSorted((a, b) => unlikelihood(a) - unlikelihood(b))
}

/** Returns the paused providers, each with the operator's message for payers. */
export const unavailableOf = (parts: Providers, { scope: { environment } }: Visit, offered: Provider[]) =>
  new Map(
    offered.flatMap((provider) => {
      const { providerId } = provider
      const words = findPauseMessage(parts, { kind: 'collect', environment, providerId })
      return words === undefined ? [] : [[provider, words] as const]
    }),
  )

/** Returns the payer described by the form, or the first issue with the form. */
export function readPayer({ scope }: Visit, offered: Provider[], posted: PostedForm): Payer | FormIssue {
  if (posted.provider === '') return { field: 'provider', code: 'missing' }
  const provider = offered.find(({ providerId }) => providerId === posted.provider)
  if (!provider) return { field: 'provider', code: 'invalid' }
  const { providerId, type } = provider
  if (type === 'card') return { providerId, type, account: null }
  const field = accountFields[type]
  if (posted[field].trim() === '') return { field, code: 'missing' }
  const account = readAccount(provider, posted[field], scope.environment)
  return account === undefined ? { field, code: 'invalid' } : { providerId, type, account }
}

/** Returns an issue which says that the payer's number looks like a number of another provider. */
export function otherNetworkIssue(
  { looksLike, providers, isCertain }: NumberDoubt,
  chosen: Provider,
  offered: Provider[],
): Extract<FormIssue, { code: 'otherNetwork' }> {
  const [instead] = offered.filter(({ providerId }) => providers.some((one) => one.providerId === providerId))
  return {
    field: 'phone',
    code: 'otherNetwork',
    looksLike,
    chosen: named(chosen),
    ...(instead && { instead: named(instead) }),
    isCertain,
  }
}

const named = ({ providerId: id, name }: Provider) => ({ id, name })
