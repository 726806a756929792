import { type Guidance, type Provider, textIn } from '@pesewa/connector-kit'
import { formatMoney, must } from '@pesewa/values'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { shownAccount } from '../../money/payments/channel.ts'
import { asksForCode } from '../../money/payments/codes.ts'
import { isInFlight } from '../../money/payments/payments.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import type { Payment } from '../../money/payments/store.ts'
import { wholeMinutes, wholeSeconds } from '../../platform/duration.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import type { Connectors } from '../../rails/connections/connectors.ts'
import type { ProviderSettings } from '../../rails/providers/settings.ts'
import { type Brand, logoPath } from '../../tenants/spaces/brands.ts'
import type { Space } from '../../tenants/spaces/store.ts'
import { canHaveAnother } from './another-attempt.ts'
import { formatTime, type Language } from './pages/language.ts'
import { formatClock } from './pages/moments.ts'
import type { CheckoutState, CheckoutView, MoneyBack, OpenRequest } from './pages/view.ts'
import type { Offer } from './payment-options.ts'
import { sessionIds } from './resources.ts'
import { isClosedByLink } from './sessions.ts'
import type { CheckoutSession } from './store.ts'

/** Everything that the pages need to know about one visit to a session. */
export type Visit = {
  key: string
  scope: Scope
  session: CheckoutSession
  space: Space
  brand: Brand
  /** The attempt that the page is about. */
  attempt: Payment | undefined
  /**
   * The attempts of the session, newest first. Failed attempts are missing unless an attempt was started while
   * another one was in flight.
   */
  attempts: Payment[]
  now: Date
  stage: PageStage
  /** The providers that the payer can choose, the most likely one first; empty in other stages than `choose`. */
  offers: Offer[]
  language: Language
  /** CSRF token that ties a form to the page of its session. */
  formToken: string
  /** True if the last attempt was made in this browser. */
  isTheirs: boolean
  /** The provider that was last used in this browser, according to its cookie, which is untrusted. */
  remembered: string | undefined
}

/**
 * Options for rendering the page for one visitor. `address` is the URL of the page, if it is shown as a QR code
 * for another device.
 */
type PageContext = { nonce: string; address?: string; handsetsUrl?: string }

const slowAfterMs = 45_000
/** If more time than this is left, no countdown is shown, because it would not be useful. */
const countedDownMs = 2 * 3_600_000

/** What the page of a session shows to the payer. */
export type PageStage = 'choose' | 'waiting' | 'paid' | 'cancelled' | 'expired' | 'linkClosed' | 'suspended'

export function stageOf({
  session,
  space,
  attempt,
  now,
}: Pick<Visit, 'session' | 'space' | 'attempt' | 'now'>): PageStage {
  if (session.status === 'completed' || attempt?.status === 'completed') return 'paid'
  if (isClosedByLink(session)) return 'linkClosed'
  if (session.status !== 'pending') return session.status
  if (attempt && attempt.status !== 'failed') return 'waiting'
  if (now >= session.expiresAt) return 'expired'
  return space.suspendedAt === null ? 'choose' : 'suspended'
}

/**
 * Returns the attempt that a session's page is about: the one that paid the session or, until then, the latest
 * one. Once no further attempt can be started, it is the latest one that is still in flight.
 */
export function shownAttempt(session: CheckoutSession, attempts: Payment[], now: Date): Payment | undefined {
  const [latest] = attempts
  return (
    attempts.find(({ id }) => id === session.paymentId) ??
    attempts.findLast(({ status }) => status === 'completed') ??
    (now >= session.expiresAt ? attempts.find(isInFlight) : undefined) ??
    latest
  )
}

/** Returns the attempts in flight, other than the one that the page is about. */
const openBeside = ({ attempts, attempt }: Pick<Visit, 'attempts' | 'attempt'>): Payment[] =>
  attempts.filter((each) => isInFlight(each) && each.id !== attempt?.id)

export function viewOf(visit: Visit, context: PageContext, state: CheckoutState): CheckoutView {
  const { session, space, brand, scope, language } = visit
  const color = session.primaryColor ?? brand.color
  const money = (value: bigint) => formatMoney({ currency: session.currency, value }, language)
  return {
    ...context,
    language,
    path: state.kind === 'dial' ? `/pay/${visit.key}/dial` : `/pay/${visit.key}`,
    merchant: brand.name ?? space.name,
    ...(brand.logoId && { logo: logoPath(scope, brand.logoId) }),
    ...supportDetails(brand),
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

/** Returns the support contacts and terms that are shown to payers. */
export const supportDetails = ({ supportEmail, supportPhone, termsUrl }: Brand) => ({
  ...(supportEmail && { supportEmail }),
  ...(supportPhone && { supportPhone }),
  ...(termsUrl && { termsUrl }),
})

/**
 * Returns the request that is still open, if the payer chooses another account: the latest attempt, if the form
 * starts another one in addition to it, or an earlier one.
 */
export function openRequest(visit: Visit, catalogue: Catalogue): OpenRequest | undefined {
  const { key, attempt } = visit
  const isSuperseding = attempt !== undefined && isInFlight(attempt)
  const open = isSuperseding ? attempt : openBeside(visit)[0]
  return (
    open && {
      ...requestOf(open, catalogue),
      waitUrl: `/pay/${key}/wait`,
      ...(isSuperseding && { supersedes: showId(paymentIds, open.id) }),
    }
  )
}

function requestOf(attempt: Payment, catalogue: Catalogue): Pick<OpenRequest, 'provider' | 'account'> {
  const account = shownAccount(attempt)
  const provider = catalogue.find(attempt.providerId)?.name ?? attempt.providerId
  return { provider, ...(account && { account }) }
}

type PaidState = Extract<CheckoutState, { kind: 'paid' }>

/**
 * Returns what the page of a paid session says about its payment, about other payments, and about money that was
 * returned. `paidAt` is the time on the receipt.
 */
export const paidState = (visit: Visit, catalogue: Catalogue, paidAt: Date, moneyBack: MoneyBack[]) =>
  endedState(visit, 'paid', {
    ...(visit.attempt && { payment: presentPaid(visit, visit.attempt, catalogue, paidAt) }),
    ...(moneyBack.length > 0 && { moneyBack }),
    ...openField(openBeside(visit)[0], catalogue),
  })

const presentPaid = ({ language, space }: Visit, paid: Payment, catalogue: Catalogue, paidAt: Date) => ({
  ...requestOf(paid, catalogue),
  at: formatTime(paidAt, language, timeZoneOf(space.country)),
})

const openField = (open: Payment | undefined, catalogue: Catalogue) =>
  open && { open: requestOf(open, catalogue) }

export function endedState(
  visit: Visit,
  stage: Exclude<PageStage, 'choose' | 'waiting' | 'linkClosed'>,
  beside: Pick<PaidState, 'payment' | 'moneyBack' | 'open'> = {},
): CheckoutState {
  const { key, session } = visit
  const returnUrl = merchantUrl(session, stage === 'paid' ? session.successUrl : session.cancelUrl)
  if (stage === 'paid')
    return {
      kind: 'paid',
      receiptUrl: `/pay/${key}/receipt`,
      ...beside,
      ...(returnUrl && { returnUrl }),
    }
  return { kind: stage, ...(returnUrl && { returnUrl }) }
}

export function waitingState(visit: Visit, parts: WaitingParts, isCodeFaulty = false): CheckoutState {
  const { key, scope, now, language, formToken } = visit
  const { catalogue } = parts
  const attempt = must(visit.attempt, 'pending attempt')
  const { channelType, providerId, createdAt, redirectUrl, guidance } = attempt
  const provider = catalogue.find(providerId)
  return {
    kind: 'waiting',
    type: channelType,
    ...requestOf(attempt, catalogue),
    // Shown only in the browser in which it was entered, because anyone with the link could otherwise read it.
    ...(visit.isTheirs && attempt.payerAccount !== null && { account: attempt.payerAccount }),
    ...openField(openBeside(visit)[0], catalogue),
    ...(mayStartAnother(visit, parts) && { anotherUrl: `/pay/${key}/another` }),
    ...promptField(visit, attempt, promptMsOf(parts, scope, provider)),
    // If a page shows no guidance, it is reloaded as soon as there is some.
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
    // The provider's guidance for this payment takes precedence over its general approval code.
    ...(channelType === 'momo' &&
      !redirectUrl &&
      !guidance &&
      provider?.approvalCode && {
        approvalCode: provider.approvalCode,
      }),
    ...minutesField(visit),
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

function minutesField({ session, now }: Visit) {
  const msLeft = session.expiresAt.getTime() - now.getTime()
  return msLeft > 0 && msLeft <= countedDownMs ? { minutesLeft: wholeMinutes(msLeft) } : undefined
}

/** Returns the page with a code to dial. It waits for an attempt other than the one that the payer has seen. */
export function dialState(
  visit: Visit,
  catalogue: Catalogue,
  { code, isPhone }: { code: string; isPhone: boolean },
): CheckoutState {
  const { key, stage } = visit
  const seen = `?seen=${seenAttempt(visit)}`
  const open = openRequest(visit, catalogue)
  return {
    kind: 'dial',
    code,
    isPhone,
    ...(open && { open }),
    ...minutesField(visit),
    statusUrl: `/pay/${key}/status${seen}`,
    waitUrl: `/pay/${key}/dial${seen}`,
    backUrl: stage === 'waiting' ? `/pay/${key}/wait` : `/pay/${key}`,
  }
}

/** Returns whether nothing has happened since a page was shown, whose URLs contain the attempt at that time. */
export const isAsSeen = (visit: Visit, seen: unknown): boolean =>
  (visit.stage === 'choose' || visit.stage === 'waiting') && seen === seenAttempt(visit)

const seenAttempt = ({ attempt }: Visit) => (attempt ? showId(paymentIds, attempt.id) : 'none')

/** Returns whether the payer can start another attempt while the latest one is in flight. */
export const mayStartAnother = (
  { scope, session, space, attempts, now }: Visit,
  parts: Pick<WaitingParts, 'connectors'>,
): boolean => now < session.expiresAt && space.suspendedAt === null && canHaveAnother(parts, scope, attempts)

type WaitingParts = {
  catalogue: Catalogue
  connectors: Connectors
  settings: Pick<ProviderSettings, 'simulator'>
}

/** How long a payment request of the simulator stays open. */
const simulatedPromptMs = 60_000

/** Returns how long a provider's payment request stays open, or `undefined` if that is not known. */
const promptMsOf = (
  { settings }: WaitingParts,
  { environment }: Scope,
  provider: Provider | undefined,
): number | undefined =>
  environment === 'test' && settings.simulator === 'on'
    ? simulatedPromptMs
    : provider?.promptSeconds && provider.promptSeconds * 1000

/** Returns when the request on the payer's phone expires, if that is known. */
function promptField({ now, space, language }: Visit, attempt: Payment, promptMs: number | undefined) {
  if (promptMs === undefined || attempt.channelType !== 'momo' || attempt.redirectUrl !== null)
    return undefined
  const endsAt = new Date(attempt.createdAt.getTime() + promptMs)
  const secondsLeft = Math.max(0, wholeSeconds(endsAt.getTime() - now.getTime()))
  return { prompt: { at: formatClock(endsAt, language, timeZoneOf(space.country)), secondsLeft } }
}

const hasSteps = ({ texts, dialString }: Guidance) => dialString !== null || Object.keys(texts).length > 0

/** Returns the merchant's URL with the session's parameters appended, or `undefined` if there is no URL. */
export function merchantUrl({ id, callbackState }: CheckoutSession, url: string | null): string | undefined {
  if (!url) return undefined
  const [address = '', fragment] = url.split(/(?=#)/, 2)
  const added = new URLSearchParams({ checkoutSessionId: showId(sessionIds, id) })
  if (callbackState) added.set('callbackState', callbackState)
  return `${address}${address.includes('?') ? '&' : '?'}${added}${fragment ?? ''}`
}
