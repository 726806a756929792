import { type Guidance, textIn } from '@pesewa/connector-kit'
import { formatMoney, must } from '@pesewa/values'
import { shownAccount } from '../../money/payments/channel.ts'
import { asksForCode } from '../../money/payments/codes.ts'
import type { Payment } from '../../money/payments/store.ts'
import { wholeMinutes } from '../../platform/duration.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { type Brand, logoPath } from '../../tenants/spaces/brands.ts'
import type { Space } from '../../tenants/spaces/store.ts'
import type { Language } from './pages/language.ts'
import type { CheckoutState, CheckoutView } from './pages/view.ts'
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
  attempt: Payment | undefined
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

export function viewOf(visit: Visit, context: PageContext, state: CheckoutState): CheckoutView {
  const { session, space, brand, scope, language } = visit
  const color = session.primaryColor ?? brand.color
  const money = (value: bigint) => formatMoney({ currency: session.currency, value }, language)
  return {
    ...context,
    language,
    path: `/pay/${visit.key}`,
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
  { key, session, attempt: last, now, language, formToken }: Visit,
  catalogue: Catalogue,
  isCodeFaulty = false,
): CheckoutState {
  const attempt = must(last, 'pending attempt')
  const { channelType, providerId, createdAt, redirectUrl, guidance } = attempt
  const account = shownAccount(attempt)
  const provider = catalogue.find(providerId)
  const msLeft = session.expiresAt.getTime() - now.getTime()
  return {
    kind: 'waiting',
    type: channelType,
    provider: provider?.name ?? providerId,
    ...(account && { account }),
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

/** Returns the merchant's URL with the session's parameters appended, or `undefined` if there is no URL. */
export function merchantUrl({ id, callbackState }: CheckoutSession, url: string | null): string | undefined {
  if (!url) return undefined
  const [address = '', fragment] = url.split(/(?=#)/, 2)
  const added = new URLSearchParams({ checkoutSessionId: showId(sessionIds, id) })
  if (callbackState) added.set('callbackState', callbackState)
  return `${address}${address.includes('?') ? '&' : '?'}${added}${fragment ?? ''}`
}
