import { languageAccepted } from '../platform/http/accept.ts'

// Every word of a statement. A language is one more member with the same keys.

/** By the type of what money moved for. */
const kinds: Record<string, string> = {
  payment: 'Payment',
  payout: 'Payout',
  refund: 'Refund',
  recall: 'Recalled payout',
  internal_transfer: 'Transfer',
}
/** By their codes. */
const fees: Record<string, string> = {
  payment: 'Fee for a payment',
  payout: 'Fee for a payout',
  refund: 'Fee for a refund',
}
/** The same, where they were given back. */
const feesReturned: Record<string, string> = {
  payment: 'Returned fee for a payment',
  payout: 'Returned fee for a payout',
  refund: 'Returned fee for a refund',
}

const en = {
  lang: 'en',
  /** For dates and numbers: the day before the month. */
  locale: 'en-GB',
  heading: 'Account statement',
  testNotice: 'Test environment. No real money moved.',
  provisional: 'Provisional: lines may still be added.',
  account: 'Account number',
  currency: 'Currency',
  from: 'From',
  to: 'To (not included)',
  time: 'Time',
  what: 'Description',
  credit: 'Credit',
  debit: 'Debit',
  balance: 'Balance',
  opening: 'Opening balance',
  credits: 'All credits',
  debits: 'All debits',
  closing: 'Closing balance',
  count: (lines: string) => `Lines: ${lines}.`,
  kinds,
  fees,
  feesReturned,
  otherFee: 'Fee',
  /** Over which of the operator’s accounts at the provider the money moved. */
  directions: { collection: 'collections', disbursement: 'disbursements' },
  proof: 'Opening balance + credits − debits = closing balance',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
}

const fr: typeof en = {
  lang: 'fr',
  locale: 'fr',
  heading: 'Relevé de compte',
  testNotice: 'Environnement de test. Aucun argent réel n’a été transféré.',
  provisional: 'Provisoire : des lignes peuvent encore s’ajouter.',
  account: 'Numéro de compte',
  currency: 'Devise',
  from: 'Du',
  to: 'Au (non compris)',
  time: 'Date',
  what: 'Libellé',
  credit: 'Crédit',
  debit: 'Débit',
  balance: 'Solde',
  opening: 'Solde d’ouverture',
  credits: 'Total des crédits',
  debits: 'Total des débits',
  closing: 'Solde de clôture',
  count: (lines) => `Lignes : ${lines}.`,
  kinds: {
    payment: 'Paiement',
    payout: 'Versement',
    refund: 'Remboursement',
    recall: 'Versement rappelé',
    internal_transfer: 'Virement',
  },
  fees: {
    payment: 'Frais de paiement',
    payout: 'Frais de versement',
    refund: 'Frais de remboursement',
  },
  feesReturned: {
    payment: 'Frais de paiement rendus',
    payout: 'Frais de versement rendus',
    refund: 'Frais de remboursement rendus',
  },
  otherFee: 'Frais',
  directions: { collection: 'encaissements', disbursement: 'décaissements' },
  proof: 'Solde d’ouverture + crédits − débits = solde de clôture',
  page: (page, pages) => `Page ${page} sur ${pages}`,
}

const words = { en, fr }
export type StatementTexts = typeof en

export const statementTexts = (acceptLanguage?: string): StatementTexts =>
  words[languageAccepted(acceptLanguage, ['en', 'fr'])]
