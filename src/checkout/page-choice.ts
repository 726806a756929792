import { networkOf } from '../countries/networks.ts'
import { timeZoneOf } from '../countries/time-zones.ts'
import type { Payer } from '../payments/channel.ts'
import { callingCode, readAccount } from '../providers/account.ts'
import { pausedWords } from '../providers/choice.ts'
import type { NumberDoubt } from '../providers/numbers.ts'
import { type Provider, providerTypes } from '../providers/provider.ts'
import type { Providers } from '../providers/providers.ts'
import type { Visit } from './page-state.ts'
import { countryName, type Language } from './pages/language.ts'
import { type AccountField, accountFields, type CheckoutState, type FormFault } from './pages/view.ts'
import { offersProvider } from './payment-options.ts'

// Whom a payer can pay with, and how they name it.

/** What the form posted: empty texts where a field was not. */
export type Posted = Record<'provider' | AccountField, string>

type ChoiceContext = {
  language: Language
  formToken: string
  /** A path of ours. */
  logoOf: (providerId: string) => string | undefined
}

type Again = {
  posted?: Posted
  fault?: FormFault
  /** Whatever the browser says it paid with last. */
  remembered?: string | undefined
  /** The last attempt is this browser's. */
  isTheirs?: boolean
}

export function chooseState(
  visit: Visit,
  providers: Provider[],
  unavailable: Map<Provider, string>,
  { language, formToken, logoOf }: ChoiceContext,
  again: Again = {},
): CheckoutState {
  const { key, session, space, attempt } = visit
  const first = firstOf(
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
    // What an earlier attempt was paid from is shown to the browser that named it: whoever else has the link could read it.
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
 * The provider that stands first and open: the one that was posted or paid with just now, that of the number that was posted, the
 * one that this browser paid with last, or else the likeliest.
 */
function firstOf(
  available: Provider[],
  { attempt }: Visit,
  { posted, remembered }: Again,
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

/** Its way to pay comes first with it. */
const firstThen = (first: Provider | undefined, providers: Provider[]) =>
  first ? [first, ...providers.filter((provider) => provider !== first)] : providers

/** One currency may be paid in several countries: then providers of one name differ by their countries. */
const nameOf = ({ name, country }: Provider, isAmbiguous: boolean, language: Language) =>
  isAmbiguous ? `${name}, ${countryName(country, language)}` : name

/**
 * The providers that a session's payer can choose: allowed, connected, paid from, and in the session's currency. Most likely
 * first: mobile money, then providers of the payer's country.
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

/** Those of them that take nothing now, with the operator's words. */
export const unavailableOf = (parts: Providers, { scope: { environment } }: Visit, offered: Provider[]) =>
  new Map(
    offered.flatMap((provider) => {
      const { providerId } = provider
      const words = pausedWords(parts, { kind: 'collect', environment, providerId })
      return words === undefined ? [] : [[provider, words] as const]
    }),
  )

/** The payer as the form names them, or what is wrong with it. */
export function readPayer({ scope }: Visit, offered: Provider[], posted: Posted): Payer | FormFault {
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

/** How the page says that the payer's number looks like an account of another provider. */
export function otherNetworkFault(
  { looksLike, providers, isCertain }: NumberDoubt,
  chosen: Provider,
  offered: Provider[],
): Extract<FormFault, { code: 'otherNetwork' }> {
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
