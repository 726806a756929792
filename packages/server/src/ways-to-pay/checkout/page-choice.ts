import type { Provider } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import { callingCode, networkOf } from '@pesewa/values/phones'
import { timeZoneOf } from '../../countries/time-zones.ts'
import type { Payer } from '../../money/payments/channel.ts'
import { readAccount } from '../../rails/connections/account.ts'
import type { Numbers } from '../../rails/providers/numbers.ts'
import type { Visit } from './page-state.ts'
import { countryName, type Language } from './pages/language.ts'
import { type AccountField, accountFields, type CheckoutState, type FormIssue } from './pages/view.ts'
import type { Offer } from './payment-options.ts'

// Determines which providers a payer can choose, and how the form identifies the payer's account.

/** The fields of the posted form. A missing field is an empty string. */
export type PostedForm = Record<'provider' | AccountField, string>

type Retry = { posted?: PostedForm; fault?: FormIssue }

/** Returns the payment form. With `again`, the form contains the posted input and the issue with it. */
export function chooseState(visit: Visit, again: Retry = {}): CheckoutState {
  const { key, session, space, attempt, formToken, language } = visit
  const first = chooseDefault(visit, again)
  const providers = visit.offers.map(({ provider }) => provider)
  const failed = attempt?.status === 'failed' && {
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
    providers: firstThen(first, visit.offers).map(({ provider, logo, unavailable }) => {
      const { providerId: id, type, color } = provider
      return {
        id,
        name: nameOf(provider, countries.size > 1 && type !== 'card', language),
        type,
        ...(unavailable !== undefined && { unavailable }),
        ...(color !== undefined && { color }),
        ...(logo !== undefined && { logo }),
        ...(provider.featureSet.payment.schemes.includes('redirect') && { hasPage: true }),
      }
    }),
    // An account is shown only in the browser in which it was entered, because anyone with the link could otherwise
    // read it.
    ...(failed &&
      visit.isTheirs &&
      failed.type !== 'card' && { [accountFields[failed.type]]: failed.account ?? '' }),
    ...again.posted,
    ...(first && { provider: first.provider.providerId }),
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
function chooseDefault({ offers, attempt, remembered }: Visit, { posted }: Retry): Offer | undefined {
  const available = offers.filter(isAvailable)
  const byId = (id: string | undefined) => available.find(({ provider }) => provider.providerId === id)
  return (
    byId(posted?.provider) ??
    byId(attempt?.providerId) ??
    (posted && available.find(({ provider }) => isOnNetworkOf(provider, posted.phone))) ??
    byId(remembered) ??
    available[0]
  )
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
const nameOf = ({ name, country }: Provider, isAmbiguous: boolean, language: Language) =>
  isAmbiguous ? `${name}, ${countryName(country, language)}` : name

/** Returns the payer described by the form, or the first issue with the form. */
export function readPayer({ scope, offers }: Visit, posted: PostedForm): Payer | FormIssue {
  if (posted.provider === '') return { field: 'provider', code: 'missing' }
  const provider = offers
    .filter(isAvailable)
    .find((offer) => offer.provider.providerId === posted.provider)?.provider
  if (!provider) return { field: 'provider', code: 'invalid' }
  const { providerId, type } = provider
  if (type === 'card') return { providerId, type, account: null }
  const field = accountFields[type]
  if (posted[field].trim() === '') return { field, code: 'missing' }
  const account = readAccount(provider, posted[field], scope.environment)
  return account === undefined ? { field, code: 'invalid' } : { providerId, type, account }
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
  const instead = offered.find((each) => providers.some((one) => one.providerId === each.providerId))
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
