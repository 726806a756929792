import assert from 'node:assert/strict'
import { Eta } from 'eta'
import type { ProviderType } from '../../providers/provider.ts'
import type { AccountField } from '../payer-account.ts'
import { assetPath } from './assets.ts'
import { brandColors } from './color.ts'
import { texts } from './texts.ts'

/** All that the page of one checkout session shows. Amounts are formatted already; URLs of ours are paths. */
export type CheckoutView = {
  nonce: string
  /** The Space's name. */
  merchant: string
  /** The session's. */
  name: string
  description?: string
  total: string
  items: CheckoutItem[]
  /** `#RGB` or `#RRGGBB`. */
  brand?: string
  environment: 'test' | 'live'
  state: CheckoutState
}

export type CheckoutItem = {
  name: string
  description?: string
  /** Shown when it is an https URL. */
  image?: string
  quantity: number
  price: string
  total: string
}

export type CheckoutState =
  | {
      kind: 'choose'
      payAction: string
      cancelAction?: string
      /** Most likely first. */
      providers: { id: string; name: string; type: ProviderType }[]
      /** The id of the one already chosen. */
      provider?: string
      /** What the payer typed, or an E.164 number. */
      phone?: string
      accountNumber?: string
      walletId?: string
      /** `+232`, where all providers share it. */
      dialCode?: string
      /** Why the last attempt failed, if it did. */
      failure?: { code: string }
      /** What is wrong with what was posted. */
      fault?: Fault
      formToken: string
    }
  | {
      kind: 'waiting'
      /** The provider's name. */
      provider: string
      /** The account, masked; nothing for a card. */
      phone: string
      /** Answers `{"status": "waiting" | "done"}`. */
      statusUrl: string
      /** This page again, or what came of it. */
      waitUrl: string
      /** The provider's own page, for who has been there and has not finished. */
      continueUrl?: string
      slow?: boolean
    }
  | { kind: 'paid'; orderNumber: string; returnUrl?: string }
  | { kind: 'cancelled'; returnUrl?: string }
  | { kind: 'expired'; returnUrl?: string }

export type Fault = { field: 'provider' | AccountField; code: 'missing' | 'invalid' }

export type MessageView = { nonce: string; title: string; text: string }

/** With more items than this, a phone shows the order folded. */
const itemsUnfolded = 3

const t = texts.en
// Escaping is eta's default too; it is named here because everything on the page depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

export function renderCheckoutPage(view: CheckoutView): string {
  const { state } = view
  return eta.render('./checkout', {
    ...shell(view.nonce, view.brand),
    ...view,
    title: titleOf(view),
    total: unbroken(view.total),
    amountSize: amountSize(view.total),
    items: view.items.map(presentItem),
    hasImages: view.items.some((item) => safeUrl(item.image, ['https:'])),
    unfolded: state.kind === 'choose' && view.items.length <= itemsUnfolded,
    monogram: monogram(view.merchant),
    state: state.kind === 'choose' ? presentForm(state) : presentState(state),
  })
}

/** A page without a session: not found, out of order. */
export function renderMessagePage(view: MessageView): string {
  return eta.render('./message', { ...shell(view.nonce), ...view })
}

function shell(nonce: string, brand?: string) {
  return {
    t,
    nonce,
    colors: brandColors(brand),
    css: assetPath('checkout.css'),
    js: assetPath('checkout.js'),
    environment: 'live',
  }
}

function titleOf({ state, total, merchant }: CheckoutView): string {
  switch (state.kind) {
    case 'choose':
      if (state.fault) return t.titles.fault(merchant)
      return state.failure ? t.titles.failure(merchant) : t.titles.choose(total, merchant)
    case 'waiting':
      return t.titles.waiting(total, merchant)
    case 'paid':
      return t.titles.paid(total, merchant)
    case 'cancelled':
      return t.titles.cancelled(merchant)
    case 'expired':
      return t.titles.expired(merchant)
  }
}

function presentItem(item: CheckoutItem) {
  return {
    ...item,
    total: unbroken(item.total),
    image: safeUrl(item.image, ['https:']),
    multiple: item.quantity === 1 ? undefined : t.quantity(t.number(item.quantity), unbroken(item.price)),
  }
}

function presentForm(state: Extract<CheckoutState, { kind: 'choose' }>) {
  const only = state.providers.length === 1 ? state.providers[0]?.id : undefined
  const fault = state.fault && { ...state.fault, text: t.faults[state.fault.field][state.fault.code] }
  return {
    ...state,
    payAction: ownPath(state.payAction),
    cancelAction: state.cancelAction && ownPath(state.cancelAction),
    provider: state.provider ?? only,
    providers: state.providers.map((provider) => ({ ...provider, monogram: monogram(provider.name) })),
    phone: withoutDialCode(state.phone ?? '', state.dialCode ?? ''),
    accountNumber: state.accountNumber ?? '',
    walletId: state.walletId ?? '',
    failureText: state.failure && failureText(state.failure.code),
    providerFault: fault?.field === 'provider' ? fault.text : undefined,
    phoneFault: fault?.field === 'phone' ? fault.text : undefined,
    accountNumberFault: fault?.field === 'accountNumber' ? fault.text : undefined,
    walletIdFault: fault?.field === 'walletId' ? fault.text : undefined,
    types: state.providers.map(({ type }) => type),
  }
}

function presentState(state: Exclude<CheckoutState, { kind: 'choose' }>) {
  if (state.kind !== 'waiting') return { ...state, returnUrl: safeUrl(state.returnUrl, ['https:', 'http:']) }
  return {
    ...state,
    statusUrl: ownPath(state.statusUrl),
    waitUrl: ownPath(state.waitUrl),
    continueUrl: safeUrl(state.continueUrl, ['https:', 'http:']),
  }
}

function failureText(code: string): string {
  return Object.hasOwn(t.failures, code) ? t.failures[code as keyof typeof t.failures] : t.failures.unknown
}

/** The dial code stands before the field: it must not be in it as well. */
function withoutDialCode(phone: string, dialCode: string): string {
  return phone.startsWith(dialCode) ? phone.slice(dialCode.length).trim() : phone
}

/** One or two letters to tell names apart: `Orange Money` → `OM`. */
function monogram(name: string): string {
  const initials = (name.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word][0] ?? '')
  return initials.slice(0, 2).join('').toUpperCase() || '•'
}

/** `Le` and its number stay on one line. */
function unbroken(amount: string): string {
  return amount.replaceAll(' ', '\u00a0')
}

function amountSize(amount: string): string {
  if (amount.length > 19) return 'amount-longest'
  return amount.length > 14 ? 'amount-long' : ''
}

/** An address from outside may be linked or loaded only as what it claims to be. */
function safeUrl(url: string | undefined, protocols: readonly string[]): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const parsed = new URL(url)
  return protocols.includes(parsed.protocol) ? parsed.href : undefined
}

function ownPath(path: string): string {
  assert(/^\/(?![/\\])/.test(path), 'a form or link of ours must be a path on this server')
  return path
}
