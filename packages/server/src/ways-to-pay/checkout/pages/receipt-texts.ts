import { type Language, languageOf } from './language.ts'

// The texts of a receipt. All languages have the same keys.

const en = {
  lang: 'en',
  /** British style for dates and numbers, in which the day precedes the month. */
  locale: 'en-GB',
  heading: 'Receipt',
  title: (merchant: string) => `Receipt from ${merchant}`,
  testNotice: 'Test payment. No real money moved.',
  order: 'Order',
  orderNumber: 'Order number',
  paidAt: 'Paid on',
  paidWith: 'Paid with',
  account: 'From',
  transaction: 'Provider reference',
  items: 'Items',
  quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
  total: 'Total paid',
  returned: (date: string) => `Refunded on ${date}`,
  download: 'Download PDF',
  back: 'Back',
  keep: 'Keep the order number. The merchant can use it to find your payment.',
  questions: 'Questions?',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
}

const fr: typeof en = {
  lang: 'fr',
  locale: 'fr',
  heading: 'Reçu',
  title: (merchant) => `Reçu de ${merchant}`,
  testNotice: 'Paiement de test. Aucun argent réel n’a été transféré.',
  order: 'Commande',
  orderNumber: 'Numéro de commande',
  paidAt: 'Payé le',
  paidWith: 'Payé avec',
  account: 'Depuis',
  transaction: 'Référence de l’opérateur',
  items: 'Articles',
  quantity: (quantity, price) => `${quantity} × ${price}`,
  total: 'Total payé',
  returned: (date) => `Remboursé le ${date}`,
  download: 'Télécharger le PDF',
  back: 'Retour',
  keep: 'Conservez le numéro de commande. Il permet au commerçant de retrouver votre paiement.',
  questions: 'Une question\u00a0?',
  page: (page, pages) => `Page ${page} sur ${pages}`,
}

const words: Record<Language, typeof en> = { en, fr }
export type ReceiptTexts = typeof en

/** Returns the texts of a receipt in the payer's language. */
export const receiptTexts = (acceptLanguage?: string): ReceiptTexts => words[languageOf(acceptLanguage)]
