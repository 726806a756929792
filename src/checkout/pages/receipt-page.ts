import { Eta } from 'eta'
import { brandColors } from './color.ts'
import type { ReceiptTexts } from './receipt-texts.ts'
import type { Help } from './view.ts'

/** Contents of a receipt, both as a page and as a PDF. Amounts, numbers and dates are formatted. */
export type ReceiptView = {
  t: ReceiptTexts
  /** Merchant's name shown to payers. */
  merchant: string
  /** Name of the session. */
  name: string
  orderNumber: string
  paidAt: { text: string; time: Date }
  /** Provider's name. */
  provider: string
  /** Payer's account, masked. */
  account: string
  /** Provider's transaction id, if reported. */
  transaction: string | null
  items: ReceiptItem[]
  total: string
  /** Refunds, oldest first. */
  returned: { text: string; amount: string }[]
  /** `#RGB` or `#RRGGBB`. */
  brand: string | null
  environment: 'test' | 'live'
} & Help

/** `multiple`: `2 × Le 150.00` for quantities above one. */
export type ReceiptItem = { name: string; description: string | null; multiple: string | null; total: string }

// Escaping is eta's default; set explicitly because the page's safety depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

/** Returns the facts about the payment in display order. */
export const factsOf = ({ t, ...view }: ReceiptView): { label: string; value: string; time?: Date }[] => [
  { label: t.order, value: view.name },
  { label: t.orderNumber, value: view.orderNumber },
  { label: t.paidAt, value: view.paidAt.text, time: view.paidAt.time },
  { label: t.paidWith, value: view.provider },
  { label: t.account, value: view.account },
  ...(view.transaction === null ? [] : [{ label: t.transaction, value: view.transaction }]),
]

/** Returns the merchant's support contacts on one line. */
export const contactOf = ({ supportEmail, supportPhone }: Help): string =>
  [supportEmail, supportPhone].filter(Boolean).join(' · ')

/** `pagePath` and `pdfPath`: paths on this server. */
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
