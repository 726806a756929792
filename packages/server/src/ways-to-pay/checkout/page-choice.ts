import { type Provider, providerTypes } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import { callingCode, examplePhone, networkOf, prefixesOf } from '@pesewa/values/phones'
import { timeZoneOf } from '../../countries/time-zones.ts'
import type { Payer } from '../../money/payments/channel.ts'
import type { Environment } from '../../platform/scope.ts'
import { readAccount } from '../../rails/connections/account.ts'
import type { Numbers } from '../../rails/providers/numbers.ts'
import type { Visit } from './page-state.ts'
import { countryName, type Language } from './pages/language.ts'
import { type AccountField, accountFields, type CheckoutState, type FormIssue } from './pages/view.ts'
import type { Offer } from './payment-options.ts'

// Determines which providers a payer can choose, and how the form identifies the payer's account.

/** The fields of the posted form. A missing field is an empty string. */
export type PostedForm = Record<'way' | 'provider' | AccountField, string>

type Retry = { posted?: PostedForm; fault?: FormIssue }

/** What the payment form needs to know about a visit. */
type ChoosingVisit = Pick<
  Visit,
  'key' | 'space' | 'attempt' | 'formToken' | 'language' | 'offers' | 'isTheirs' | 'remembered'
> & { session: Pick<Visit['session'], 'expiresAt'> }

/** Returns the payment form. With `again`, the form contains the posted input and the issue with it. */
export function chooseState(visit: ChoosingVisit, again: Retry = {}): CheckoutState {
  const { key, session, space, attempt, formToken, language } = visit
  const first = chooseFirst(visit)
  const way = providerTypes.find((type) => type === again.posted?.way) ?? first?.provider.type
  const provider = chooseProvider(visit, again)
  const providers = visit.offers.map((offer) => offer.provider)
  const failed = attempt?.status === 'failed' && {
    type: attempt.channelType,
    account: attempt.payerAccount,
  }
  const countries = new Set(providers.filter(({ type }) => type !== 'card').map(({ country }) => country))
  return {
    kind: 'choose',
    payAction: `/pay/${key}`,
    cancelAction: `/pay/${key}/cancel`,
    providers: firstThen(first, visit.offers).map((offer) => ({
      id: offer.provider.providerId,
      name: nameOf(offer.provider, countries.size > 1, language),
      type: offer.provider.type,
      ...(offer.unavailable !== undefined && { unavailable: offer.unavailable }),
      ...(offer.provider.color !== undefined && { color: offer.provider.color }),
      ...(offer.provider.network && { prefixes: prefixesOf(offer.provider.network.codes) }),
      ...(offer.logo !== undefined && { logo: offer.logo }),
      networkLogos: offer.networkLogos,
      ...(offer.provider.featureSet.payment.schemes.includes('redirect') && { hasPage: true }),
    })),
    // An account is shown only in the browser in which it was entered, because anyone with the link could otherwise
    // read it.
    ...(failed &&
      visit.isTheirs &&
      failed.type !== 'card' && { [accountFields[failed.type]]: failed.account ?? '' }),
    ...again.posted,
    way,
    provider,
    ...phoneFormat(providers),
    expiry: { at: session.expiresAt, timeZone: timeZoneOf(space.country) },
    ...(attempt?.failureCode &&
      !again.fault && {
        failure: {
          code: attempt.failureCode,
          message: attempt.failureMessage ?? '',
          type: attempt.channelType,
        },
      }),
    ...(again.fault && { fault: again.fault }),
    formToken,
  }
}

/** Returns the calling code that all mobile money providers share, if they do, and an example of a number. */
function phoneFormat(providers: Provider[]) {
  const momo = providers.filter(({ type }) => type === 'momo')
  const [first] = momo
  if (!first) return {}
  const example = examplePhone(first.country, first.network && prefixesOf(first.network.codes)[0])
  const [dialCode, ...others] = new Set(momo.map(({ country }) => `+${callingCode(country)}`))
  return others.length === 0
    ? { dialCode, phoneExample: example }
    : { phoneExample: example && `${dialCode} ${example.replace(/^0/, '')}` }
}

/**
 * Returns the provider to list first. In order of precedence, this is the provider of the last attempt, the provider
 * last used in this browser, or the most likely one. It does not depend on the posted form, so that a page with an
 * error has the same order as the page before it.
 */
function chooseFirst(visit: ChoosingVisit): Offer | undefined {
  const available = visit.offers.filter(isAvailable)
  const byId = (id: string | undefined) => available.find(({ provider }) => provider.providerId === id)
  return byId(visit.attempt?.providerId) ?? byId(visit.remembered) ?? available[0]
}

/**
 * Returns the id of the provider to preselect. A mobile money provider is preselected only if the payer chose it
 * although the number's prefix belongs to another one.
 */
function chooseProvider(visit: ChoosingVisit, { posted }: Retry): string | undefined {
  const { attempt, remembered, offers, isTheirs } = visit
  if (posted) return posted.provider
  const last = attempt?.providerId ?? remembered
  const provider = offers.find((offer) => offer.provider.providerId === last)?.provider
  if (provider?.type !== 'momo') return provider?.providerId
  const isPickedByHand = isTheirs && !isOnNetworkOf(provider, attempt?.payerAccount ?? '')
  return isPickedByHand ? provider.providerId : undefined
}

const isAvailable = ({ unavailable }: Offer) => unavailable === undefined

function isOnNetworkOf(provider: Provider, phone: string): boolean {
  if (provider.type !== 'momo' || !provider.network) return false
  const number = readAccount(provider, phone, 'live')
  const network = number === undefined ? undefined : networkOf(number)
  return network?.codes.some((code) => provider.network?.codes.includes(code)) === true
}

/** Moves a provider, and with it its payment method, to the front of the list. */
const firstThen = (first: Offer | undefined, offers: Offer[]) =>
  first ? [first, ...offers.filter((offer) => offer !== first)] : offers

/**
 * Returns the name of a provider. If providers from several countries are listed, the country is added, because
 * providers in different countries may have the same name.
 */
const nameOf = ({ name, country, type }: Provider, isAmbiguous: boolean, language: Language) =>
  isAmbiguous && type !== 'card' ? `${name}, ${countryName(country, language)}` : name

/** Returns the payer described by the form, or the first issue with the form. */
export function readPayer({ scope, offers }: Visit, posted: PostedForm): Payer | FormIssue {
  const available = offers.filter(isAvailable).map(({ provider }) => provider)
  const hasPhone = posted.phone.trim() !== ''
  const isByNumber = posted.provider === '' && (posted.way === 'momo' || hasPhone)
  if (isByNumber && !hasPhone) return { field: 'phone', code: 'missing' }
  const provider = isByNumber
    ? providerOfNumber(available, posted.phone)
    : available.find(({ providerId }) => providerId === posted.provider)
  if (!provider && isByNumber && !isComplete(available, posted.phone, scope.environment))
    return { field: 'phone', code: 'invalid' }
  if (!provider)
    return { field: 'provider', code: isByNumber || posted.provider === '' ? 'missing' : 'invalid' }
  const { providerId, type } = provider
  if (type === 'card') return { providerId, type, account: null }
  const field = accountFields[type]
  if (posted[field].trim() === '') return { field, code: 'missing' }
  const account = readAccount(provider, posted[field], scope.environment)
  return account === undefined ? { field, code: 'invalid' } : { providerId, type, account }
}

/**
 * Returns whether a number could be an account of a mobile money provider. Made-up numbers of the test environment
 * are recognized only in international form, because a number that is too short could be one of them.
 */
function isComplete(available: Provider[], phone: string, environment: Environment): boolean {
  const momo = available.filter(({ type }) => type === 'momo')
  const reading = phone.trim().startsWith('+') ? environment : 'live'
  return momo.length === 0 || momo.some((each) => readAccount(each, phone, reading) !== undefined)
}

/**
 * Returns the mobile money provider on the network of a number. If there is none, returns the only provider
 * that could hold its account.
 */
function providerOfNumber(available: Provider[], phone: string): Provider | undefined {
  const momo = available.filter(({ type }) => type === 'momo')
  const possible = momo.filter(({ network }) => !network)
  return (
    momo.find((provider) => isOnNetworkOf(provider, phone)) ??
    (possible.length === 1 ? possible[0] : momo.length === 1 ? momo[0] : undefined)
  )
}

/** Returns an issue if the payer's number does not seem to belong to the chosen provider. */
export async function findNumberIssue(
  numbers: Numbers,
  { scope, offers }: Visit,
  { providerId, account }: Payer,
): Promise<Extract<FormIssue, { code: 'otherNetwork' }> | undefined> {
  const offered = offers.map(({ provider }) => provider)
  const chosen = must(
    offered.find((each) => each.providerId === providerId),
    'chosen provider',
  )
  if (chosen.type !== 'momo' || account === null) return undefined
  const doubt = await numbers.doubt(scope.environment, chosen, account)
  if (!doubt) return undefined
  const { looksLike, providers, isCertain } = doubt
  const instead = offers
    .filter(isAvailable)
    .find(({ provider }) => providers.some(({ providerId }) => providerId === provider.providerId))
  return {
    field: 'phone',
    code: 'otherNetwork',
    looksLike,
    chosen: named(chosen),
    ...(instead && { instead: named(instead.provider) }),
    isCertain,
  }
}

const named = ({ providerId: id, name }: Provider) => ({ id, name })
