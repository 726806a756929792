import { Eta } from 'eta'
import { brandColors } from './color.ts'
import type { ReceiptTexts } from './receipt-texts.ts'
import type { Help } from './view.ts'

/** All that a receipt shows, on the page and as PDF. Amounts, numbers and dates are formatted already. */
export type ReceiptView = {
  t: ReceiptTexts
  /** What the Space calls itself to its payers. */
  merchant: string
  /** What the merchant calls the order: the session's. */
  name: string
  orderNumber: string
  paidAt: { text: string; time: Date }
  /** The provider's name. */
  provider: string
  /** The payer's account, masked. */
  account: string
  /** What the provider calls the payment, where it said so. */
  transaction: string | null
  items: ReceiptItem[]
  total: string
  /** What went back to the payer, oldest first. */
  returned: { text: string; amount: string }[]
  /** `#RGB` or `#RRGGBB`. */
  brand: string | null
  environment: 'test' | 'live'
} & Help

/** `multiple`: `2 × Le 150.00`, when it is more than one. */
export type ReceiptItem = { name: string; description: string | null; multiple: string | null; total: string }

// Escaping is eta's default too; it is named here because everything on the page depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

/** What a receipt says of the payment, in its order. */
export const factsOf = ({ t, ...view }: ReceiptView): { label: string; value: string; time?: Date }[] => [
  { label: t.order, value: view.name },
  { label: t.orderNumber, value: view.orderNumber },
  { label: t.paidAt, value: view.paidAt.text, time: view.paidAt.time },
  { label: t.paidWith, value: view.provider },
  { label: t.account, value: view.account },
  ...(view.transaction === null ? [] : [{ label: t.transaction, value: view.transaction }]),
]

/** Where payers ask the merchant, on one line. */
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
