import { Eta } from 'eta'
import { brandColors } from './color.ts'
import { ownPath } from './parts.ts'
import type { ReceiptTexts } from './receipt-texts.ts'
import type { Help } from './view.ts'

/**
 * The contents of a receipt, shown as a page or as a PDF. Amounts, numbers and dates have already been
 * formatted.
 */
export type ReceiptView = {
  t: ReceiptTexts
  /** The merchant's name as shown to payers. */
  merchant: string
  /** Address and tax number. */
  identity: string[]
  /** The merchant's logo: its path on this server and its PNG. */
  merchantLogo: { path: string; image: Buffer } | undefined
  /** Code that proves that the receipt is genuine, and the URL of the page that accepts it. */
  code: string
  checkUrl: string
  /** Name of the session. */
  name: string
  orderNumber: string
  paidAt: { text: string; time: Date }
  /** Provider's name. */
  provider: string
  /** Path of the provider's logo on this server. */
  logo?: string | undefined
  /** The payer's account, masked. */
  account: string
  /** Path of the card network's logo on this server. */
  cardLogo?: string | undefined
  /** The provider's transaction id, if the provider reported one. */
  transaction: string | null
  items: ReceiptItem[]
  total: string
  /** Sentences about other payments of the same order. */
  notes: string[]
  /** Refunds, oldest first. */
  returned: { text: string; amount: string }[]
  /** The merchant's brand colour, in the form `#RGB` or `#RRGGBB`. */
  brand: string | null
  environment: 'test' | 'live'
} & Help

/** `multiple` is the quantity and unit price, such as `2 × Le 150.00`, for quantities above one. */
export type ReceiptItem = { name: string; description: string | null; multiple: string | null; total: string }

// Escaping is eta's default, but it is set explicitly because the safety of the page depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

type Fact = { label: string; value: string; time?: Date; logo?: string | undefined }

/** Returns the details of the payment in the order in which they are shown. */
export const factsOf = ({ t, ...view }: ReceiptView): Fact[] => [
  { label: t.order, value: view.name },
  { label: t.orderNumber, value: view.orderNumber },
  { label: t.paidAt, value: view.paidAt.text, time: view.paidAt.time },
  { label: t.paidWith, value: view.provider, logo: view.logo && ownPath(view.logo) },
  { label: t.account, value: view.account, logo: view.cardLogo && ownPath(view.cardLogo) },
  ...(view.transaction === null ? [] : [{ label: t.transaction, value: view.transaction }]),
]

/** Returns the merchant's support contacts on one line. */
export const contactOf = ({ supportEmail, supportPhone }: Help): string =>
  [supportEmail, supportPhone].filter(Boolean).join(' · ')

/** Renders the page of a receipt. `pagePath` and `pdfPath` are paths on this server. */
export const renderReceiptPage = (
  view: ReceiptView,
  links: { nonce: string; pagePath: string; pdfPath: string },
): string =>
  eta.render('./receipt', {
    ...view,
    ...links,
    facts: factsOf(view),
    contact: contactOf(view),
    colors: brandColors(view.brand ?? undefined),
  })
