import { formatMoney } from '../countries/money.ts'
import { networkOf } from '../countries/networks.ts'
import { timeZoneOf } from '../countries/time-zones.ts'
import { type Payer, shownAccount } from '../payments/channel.ts'
import { asksForCode } from '../payments/codes.ts'
import type { Payment } from '../payments/payments.ts'
import { wholeMinutes } from '../platform/duration.ts'
import { showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import type { Scope } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import { callingCode, readAccount } from '../providers/account.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { pausedWords } from '../providers/choice.ts'
import { type Guidance, textIn } from '../providers/guidance.ts'
import type { NumberDoubt } from '../providers/numbers.ts'
import { type Provider, providerTypes } from '../providers/provider.ts'
import type { Providers } from '../providers/providers.ts'
import { type Brand, logoPath } from '../spaces/brands.ts'
import type { Space } from '../spaces/spaces.ts'
import { countryName, type Language } from './pages/language.ts'
import {
  type AccountField,
  accountFields,
  type CheckoutState,
  type CheckoutView,
  type FormFault,
} from './pages/view.ts'
import { offersProvider } from './payment-options.ts'
import { sessionIds } from './resources.ts'
import { type CheckoutSession, isClosedByLink } from './sessions.ts'

/** Everything that one visit to a session's page needs. */
export type Visit = {
  key: string
  scope: Scope
  session: CheckoutSession
  space: Space
  brand: Brand
  attempt: Payment | undefined
  /** Where the payer's address is, `ZZ` when unknown. */
  payerCountry: string
  now: Date
}

/** How a page is rendered for this one visitor. `address`: where it is shown for another device. */
type PageContext = { language: Language; nonce: string; address?: string; handsetsUrl?: string }

const slowAfterMs = 45_000
/** More is nothing that a payer has to know. */
const countedDownMs = 2 * 3_600_000

/** Where a session stands for its payer. */
type PageStage = 'choose' | 'waiting' | 'paid' | 'cancelled' | 'expired' | 'linkClosed' | 'suspended'

export function stageOf({ session, space, attempt, now }: Visit): PageStage {
  if (session.status === 'completed' || attempt?.status === 'completed') return 'paid'
  if (isClosedByLink(session)) return 'linkClosed'
  if (session.status !== 'pending') return session.status
  if (attempt && attempt.status !== 'failed') return 'waiting'
  if (now >= session.expiresAt) return 'expired'
  return space.suspendedAt === null ? 'choose' : 'suspended'
}

export function viewOf(visit: Visit, context: PageContext, state: CheckoutState): CheckoutView {
  const { session, space, brand, scope } = visit
  const color = session.primaryColor ?? brand.color
  const money = (value: bigint) => formatMoney({ currency: session.currency, value }, context.language)
  return {
    ...context,
    merchant: brand.name ?? space.name,
    ...(brand.logoId && { logo: logoPath(scope, brand.logoId) }),
    ...helpOf(brand),
    name: session.name,
    orderNumber: session.orderNumber,
    ...(session.description && { description: session.description }),
    total: money(session.amount),
    items: session.lineItems.map((item) => ({
      name: item.name,
      ...(item.description && { description: item.description }),
      ...(item.images[0] && { image: item.images[0] }),
      quantity: item.quantity,
      price: money(BigInt(item.price.value)),
      total: money(BigInt(item.price.value) * BigInt(item.quantity)),
    })),
    ...(color && { brand: color }),
    environment: scope.environment,
    state,
  }
}

/** Where payers ask, and what they agree to. */
export const helpOf = ({ supportEmail, supportPhone, termsUrl }: Brand) => ({
  ...(supportEmail && { supportEmail }),
  ...(supportPhone && { supportPhone }),
  ...(termsUrl && { termsUrl }),
})

export function endedState(
  { key, session }: Visit,
  stage: Exclude<PageStage, 'choose' | 'waiting' | 'linkClosed'>,
): CheckoutState {
  const returnUrl = merchantUrl(session, stage === 'paid' ? session.successUrl : session.cancelUrl)
  if (stage === 'paid')
    return {
      kind: 'paid',
      receiptUrl: `/pay/${key}/receipt`,
      ...(returnUrl && { returnUrl }),
    }
  return { kind: stage, ...(returnUrl && { returnUrl }) }
}

export function waitingState(
  { key, session, attempt: last, now }: Visit,
  catalogue: Catalogue,
  { language, formToken, isCodeFaulty }: { language: Language; formToken: string; isCodeFaulty: boolean },
): CheckoutState {
  const attempt = must(last, 'attempt that waits')
  const { channelType, providerId, createdAt, redirectUrl, guidance } = attempt
  const account = shownAccount(attempt)
  const provider = catalogue.find(providerId)
  const msLeft = session.expiresAt.getTime() - now.getTime()
  return {
    kind: 'waiting',
    type: channelType,
    provider: provider?.name ?? providerId,
    ...(account && { account }),
    // A page without guidance is loaded again when there is some.
    statusUrl: `/pay/${key}/status${guidance ? '?guided=yes' : ''}`,
    waitUrl: `/pay/${key}/wait`,
    ...(redirectUrl && { continueUrl: redirectUrl }),
    ...(attempt.codesSubmitted > 0 && !asksForCode(attempt) && { hasGivenCode: true }),
    ...(guidance &&
      hasSteps(guidance) && {
        guidance: {
          ...textIn(guidance, language),
          ...(guidance.dialString !== null && { dialString: guidance.dialString }),
        },
      }),
    // What the rail says about this payment is better than what is true of most.
    ...(channelType === 'momo' &&
      !redirectUrl &&
      !guidance &&
      provider?.approvalCode && {
        approvalCode: provider.approvalCode,
      }),
    ...(msLeft > 0 && msLeft <= countedDownMs && { minutesLeft: wholeMinutes(msLeft) }),
    ...(asksForCode(attempt) && {
      code: {
        action: `/pay/${key}/code`,
        formToken,
        isFaulty: isCodeFaulty,
        isAgain: attempt.codesSubmitted > 0,
      },
    }),
    slow: now.getTime() - createdAt.getTime() > slowAfterMs,
  }
}

const hasSteps = ({ texts, dialString }: Guidance) => dialString !== null || Object.keys(texts).length > 0

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

/** The merchant's own address, with our parameters after its own. */
export function merchantUrl({ id, callbackState }: CheckoutSession, url: string | null): string | undefined {
  if (!url) return undefined
  const [address = '', fragment] = url.split(/(?=#)/, 2)
  const added = new URLSearchParams({ checkoutSessionId: showId(sessionIds, id) })
  if (callbackState) added.set('callbackState', callbackState)
  return `${address}${address.includes('?') ? '&' : '?'}${added}${fragment ?? ''}`
}

/** Ties a form to its page: a form of another site, or of another session, pays nothing. */
export const formTokenOf = (seals: Seals, key: string) => seals.tag('checkout form', key)
