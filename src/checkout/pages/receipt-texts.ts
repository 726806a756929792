import { type Language, languageOf } from './language.ts'

// Every word of a receipt. A language is one more member with the same keys.

const en = {
  lang: 'en',
  /** For dates and numbers: the day before the month. */
  locale: 'en-GB',
  heading: 'Receipt',
  title: (merchant: string) => `Receipt from ${merchant}`,
  testNotice: 'Test payment. No real money moved.',
  order: 'Order',
  orderNumber: 'Order number',
  paidAt: 'Paid on',
  paidWith: 'Paid with',
  account: 'From',
  transaction: 'Provider’s transaction',
  items: 'What was paid for',
  quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
  total: 'Total paid',
  returned: (date: string) => `Returned on ${date}`,
  download: 'Download as PDF',
  back: 'Back',
  keep: 'Keep the order number. The merchant can find your payment with it.',
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
  transaction: 'Transaction du fournisseur',
  items: 'Ce qui a été payé',
  quantity: (quantity, price) => `${quantity} × ${price}`,
  total: 'Total payé',
  returned: (date) => `Remboursé le ${date}`,
  download: 'Télécharger en PDF',
  back: 'Retour',
  keep: 'Gardez le numéro de commande. Le commerçant peut retrouver votre paiement avec lui.',
  questions: 'Une question\u00a0?',
  page: (page, pages) => `Page ${page} sur ${pages}`,
}

const words: Record<Language, typeof en> = { en, fr }
export type ReceiptTexts = typeof en

/** In the payer's language. */
export const receiptTexts = (acceptLanguage?: string): ReceiptTexts => words[languageOf(acceptLanguage)]
