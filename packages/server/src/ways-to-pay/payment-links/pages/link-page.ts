import { loadSheet } from '@pesewa/pages'
import { Eta } from 'eta'
import { brandColors } from '../../checkout/pages/color.ts'
import { formatNumber, type Language } from '../../checkout/pages/language.ts'
import { amountSize, monogram, ownPath, presentHelp, safeUrl, unbroken } from '../../checkout/pages/parts.ts'
import { qrCode } from '../../checkout/pages/qr.ts'
import type { Help } from '../../checkout/pages/view.ts'
import type { LinkEntries, LinkIssue } from '../opening.ts'
import { type LinkTexts, linkTexts } from './link-texts.ts'

/** Contents of a link's page. Amounts are formatted, and our own URLs are given as paths. */
export type LinkView = {
  language: Language
  nonce: string
  /** Links to this page in every language. */
  languages: { code: Language; name: string; href: string }[]
  merchant: string
  logo: string | null
  name: string
  description: string | null
  /** In the form `#RGB` or `#RRGGBB`. */
  brand: string | null
  environment: 'test' | 'live'
  /** Full URL of the page, shown as a QR code so that the payer can open it on a phone. */
  address: string | undefined
  state: LinkPageState
} & Help

export type LinkPageState =
  | {
      kind: 'form'
      action: string
      formToken: string
      items: LinkViewItem[]
      /** Names of the payment methods. */
      methods: string[]
      /** Total of all items; null if the payer enters the amount. */
      total: string | null
      /** Currency symbol and limits for the amount field; null unless the payer enters the amount. */
      amount: { symbol: string; low: string | null; high: string | null } | null
      quantity: { minimum: number; maximum: number } | null
      reference: { label: string; isRequired: boolean; maxLength: number } | null
      entries: LinkEntries
      faults: LinkIssue[]
    }
  | { kind: 'ended'; why: keyof LinkTexts['ended'] }
  | { kind: 'done'; text: string | null; orderNumber: string; receiptPath: string }

export type LinkViewItem = {
  name: string
  description: string | null
  image: string | undefined
  quantity: number
  price: string
  total: string
}

export const styles = loadSheet(import.meta.url, '../../checkout/pages/payer.css', 'link.css')

// Escaping is the default in Eta; it is set explicitly because the page's safety depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

export function renderLinkPage(view: LinkView): string {
  const { state, language } = view
  const t = linkTexts[language]
  const isFaulty = state.kind === 'form' && state.faults.length > 0
  return eta.render('./link', {
    ...view,
    t,
    title: t.titles[isFaulty ? 'fault' : state.kind],
    colors: brandColors(view.brand ?? undefined),
    styles,
    monogram: monogram(view.merchant),
    logo: view.logo && ownPath(view.logo),
    help: presentHelp(view),
    qr: state.kind === 'form' && view.address !== undefined ? qrCode(view.address) : undefined,
    state: state.kind === 'form' ? presentForm(state, view.name, language) : state,
  })
}

function presentForm(state: Extract<LinkPageState, { kind: 'form' }>, name: string, language: Language) {
  const t = linkTexts[language]
  const { quantity } = state
  return {
    ...state,
    action: ownPath(state.action),
    items: (repeatsHeading(state.items, name) ? [] : state.items).map((item) => ({
      ...item,
      total: unbroken(item.total),
      image: safeUrl(item.image, ['https:']),
      multiple:
        item.quantity === 1 ? null : t.times(formatNumber(item.quantity, language), unbroken(item.price)),
    })),
    total: state.total && unbroken(state.total),
    totalSize: amountSize(state.total ?? ''),
    amount: state.amount && { ...state.amount, hint: boundsOf(state.amount, t) },
    quantity: quantity && {
      ...quantity,
      hint: t.numbers(formatNumber(quantity.minimum, language), formatNumber(quantity.maximum, language)),
    },
    faultOf: Object.fromEntries(state.faults.map(({ field, code }) => [field, t.faults[field][code]])),
  }
}

/** Returns a sentence with the limits of the amount; null if there are none. */
export function boundsOf({ low, high }: { low: string | null; high: string | null }, t: LinkTexts) {
  if (low && high) return t.between(low, high)
  if (low) return t.atLeast(low)
  return high && t.atMost(high)
}

/** Returns whether the items say no more than the page's amount and heading. */
function repeatsHeading(items: LinkViewItem[], heading: string): boolean {
  const [first, ...others] = items
  if (!first || others.length > 0) return false
  const { name, description, image, quantity } = first
  return name === heading && description === null && image === undefined && quantity === 1
}
