import { Eta } from 'eta'
import { previewStyles, scriptPath, styles } from './assets.ts'
import { brandColors } from './color.ts'
import { presentForm } from './form.ts'
import { formatNumber, type Language, languageNames, languages } from './language.ts'
import { moneyBackText } from './money-back-text.ts'
import { amountSize, imageUrl, monogram, ownPath, presentHelp, safeUrl, unbroken } from './parts.ts'
import { qrCode } from './qr.ts'
import { testNumbers } from './test-numbers.ts'
import { type Texts, texts } from './texts.ts'
import type { CheckoutItem, CheckoutState, CheckoutView, MessageView } from './view.ts'

// Escaping is eta's default, but it is set explicitly because the safety of the page depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

export function renderCheckoutPage(view: CheckoutView): string {
  const { state, language } = view
  const t = texts[language]
  const shown =
    state.kind === 'choose'
      ? presentForm(state, language, unbroken(view.total))
      : presentState(state, t, view.merchant)
  return eta.render('./checkout', {
    ...shell(language, view.nonce, view.brand),
    ...view,
    ...(view.scheme && { css: previewStyles[view.scheme] }),
    title: t.titles[titleOf(state)],
    total: unbroken(view.total),
    amountSize: amountSize(view.total),
    items: view.items.map((item) => presentItem(item, language)),
    hasImages: view.items.some((item) => safeUrl(item.image, ['https:'])),
    monogram: monogram(view.merchant),
    path: ownPath(view.path),
    logo: view.logo && (view.scheme ? imageUrl(view.logo) : ownPath(view.logo)),
    help: presentHelp(view),
    testNumbers,
    handsetsUrl: view.handsetsUrl && ownPath(view.handsetsUrl),
    ...('tiles' in shown && { tiles: shown.tiles }),
    qr: state.kind === 'choose' && view.address !== undefined ? qrCode(view.address) : undefined,
    state: shown,
  })
}

/** Renders a page that belongs to no session, such as "not found" or an error. */
export function renderMessagePage({ language, nonce, message }: MessageView): string {
  return eta.render('./message', { ...shell(language, nonce), ...texts[language].messages[message] })
}

/** A genuine receipt or statement, with its figures, which have been formatted. */
export type Verified = {
  kind: 'receipt' | 'statement'
  environment: 'test' | 'live'
  facts: (readonly [label: keyof Texts['verification']['facts'], value: string])[]
}

/** Renders the page that shows whether a receipt or statement is genuine. */
export function renderVerificationPage(view: {
  language: Language
  nonce: string
  code: string
  found: Verified | undefined
  isUnknown: boolean
}): string {
  const { language, nonce, found, code } = view
  const t = texts[language]
  return eta.render('./verification', {
    ...shell(language, nonce),
    ...view,
    environment: found?.environment ?? 'live',
    path: '/receipt',
    query: code && `code=${encodeURIComponent(code)}&`,
    title: t.verification.heading,
    state: {},
  })
}

function shell(language: Language, nonce: string, brand?: string) {
  return {
    t: texts[language],
    language,
    nonce,
    colors: brandColors(brand),
    css: styles,
    js: scriptPath,
    environment: 'live',
    tiles: [],
    languages: languages.map((code) => ({ code, name: languageNames[code] })),
  }
}

function titleOf(state: CheckoutState): keyof Texts['titles'] {
  if (state.kind !== 'choose') return state.kind
  if (state.fault) return state.fault.code === 'askedOften' ? 'askedOften' : 'fault'
  return state.failure ? 'failure' : 'choose'
}

function presentItem(item: CheckoutItem, language: Language) {
  const count = formatNumber(item.quantity, language)
  return {
    ...item,
    total: unbroken(item.total),
    image: safeUrl(item.image, ['https:']),
    multiple: item.quantity === 1 ? undefined : texts[language].quantity(count, unbroken(item.price)),
  }
}

function presentState(state: Exclude<CheckoutState, { kind: 'choose' }>, t: Texts, merchant: string) {
  switch (state.kind) {
    case 'waiting':
      return {
        ...state,
        provider: state.type === 'card' ? t.waiting.elsewhere.card : state.provider,
        continueUrl: safeUrl(state.continueUrl, ['https:', 'http:']),
        dialUrl: state.guidance?.dialString && `tel:${encodeURIComponent(state.guidance.dialString)}`,
        approvalUrl: state.approvalCode && `tel:${encodeURIComponent(state.approvalCode)}`,
        statusUrl: ownPath(state.statusUrl),
        waitUrl: ownPath(state.waitUrl),
        code: state.code && { ...state.code, action: ownPath(state.code.action) },
        words: state.type === 'momo' ? t.waiting.phone : t.waiting.provider,
        anotherUrl: state.anotherUrl && ownPath(state.anotherUrl),
        overText: t.waiting.prompt.over(state.provider, state.anotherUrl !== undefined),
        openText: openTextOf(state, t),
        dial: state.dial && { ...state.dial, action: ownPath(state.dial.action) },
      }
    case 'dial':
      return {
        ...state,
        callUrl: state.isPhone && `tel:${encodeURIComponent(state.code)}`,
        statusUrl: ownPath(state.statusUrl),
        waitUrl: ownPath(state.waitUrl),
        backUrl: ownPath(state.backUrl),
        openText: openTextOf(state, t),
      }
    default:
      return {
        ...state,
        returnUrl: safeUrl(state.returnUrl, ['https:', 'http:']),
        ...(state.kind === 'linkClosed' && state.linkPath && { linkPath: ownPath(state.linkPath) }),
        ...(state.kind === 'paid' && state.receiptUrl && { receiptUrl: ownPath(state.receiptUrl) }),
        ...(state.kind === 'paid' && {
          notes: presentNotes(state, t, merchant),
          isUnsettled: isUnsettled(state),
        }),
      }
  }
}

/** Returns whether what the page says will soon be out of date, so that the page reloads itself. */
const isUnsettled = ({ moneyBack = [], open }: PaidState) =>
  open !== undefined || moneyBack.some((back) => back.kind === 'twice' && back.state === 'pending')

type PaidState = Extract<CheckoutState, { kind: 'paid' }>

const openTextOf = ({ open }: Pick<Extract<CheckoutState, { kind: 'waiting' }>, 'open'>, t: Texts) =>
  open && t.another.open(open.account ?? open.provider)

/** Returns what a paid page says about money that was returned and about requests that are still open. */
function presentNotes({ moneyBack = [], open }: PaidState, t: Texts, merchant: string): string[] {
  return [
    ...moneyBack.map((each) => moneyBackText({ ...each, amount: unbroken(each.amount) }, t, merchant)),
    ...(open ? [t.another.openAfterwards(open.account ?? open.provider)] : []),
  ]
}
