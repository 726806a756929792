import { preferredLanguage } from '../../platform/http/lists/accept.ts'

// All texts in a statement. To add a language, add a member with the same keys.

/** Texts by the type of object for which the money was moved. */
const kinds: Record<string, string> = {
  payment: 'Payment',
  payout: 'Payout',
  refund: 'Refund',
  recall: 'Recalled payout',
  internal_transfer: 'Transfer',
}
/** Texts for fees, by fee code. */
const fees: Record<string, string> = {
  payment: 'Payment fee',
  payout: 'Payout fee',
  refund: 'Refund fee',
}
/** Texts for fees that were returned, by fee code. */
const feesReturned: Record<string, string> = {
  payment: 'Payment fee returned',
  payout: 'Payout fee returned',
  refund: 'Refund fee returned',
}

const en = {
  lang: 'en',
  /** The locale for dates and numbers; the day comes before the month. */
  locale: 'en-GB',
  heading: 'Account statement',
  testNotice: 'Test environment. No real money moved.',
  taxNumber: (taxNumber: string) => `Tax number ${taxNumber}`,
  check: (code: string, url: string) =>
    `To check that this statement is genuine, enter the code ${code} at ${url}.`,
  provisional: 'Provisional: lines may still be added.',
  account: 'Account number',
  currency: 'Currency',
  from: 'From',
  to: 'To (exclusive)',
  time: 'Time',
  what: 'Description',
  credit: 'Credit',
  debit: 'Debit',
  balance: 'Balance',
  opening: 'Opening balance',
  credits: 'Total credits',
  debits: 'Total debits',
  closing: 'Closing balance',
  count: (lines: string) => `Lines: ${lines}.`,
  kinds,
  fees,
  feesReturned,
  otherFee: 'Fee',
  /** The operator’s account with the provider through which the money was moved. */
  directions: { collection: 'collections', disbursement: 'disbursements' },
  proof: 'Opening balance + credits − debits = closing balance',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
}

const fr: typeof en = {
  lang: 'fr',
  locale: 'fr',
  heading: 'Relevé de compte',
  testNotice: 'Environnement de test. Aucun argent réel n’a été transféré.',
  taxNumber: (taxNumber) => `N° fiscal ${taxNumber}`,
  check: (code, url) => `Pour vérifier l’authenticité de ce relevé, saisissez le code ${code} sur ${url}.`,
  provisional: 'Provisoire : des lignes peuvent encore s’ajouter.',
  account: 'Numéro de compte',
  currency: 'Devise',
  from: 'Du',
  to: 'Au (exclu)',
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
    payment: 'Frais de paiement restitués',
    payout: 'Frais de versement restitués',
    refund: 'Frais de remboursement restitués',
  },
  otherFee: 'Frais',
  directions: { collection: 'encaissements', disbursement: 'décaissements' },
  proof: 'Solde d’ouverture + crédits − débits = solde de clôture',
  page: (page, pages) => `Page ${page} sur ${pages}`,
}

const words = { en, fr }
export type StatementTexts = typeof en

export const statementTexts = (acceptLanguage?: string): StatementTexts =>
  words[preferredLanguage(acceptLanguage, ['en', 'fr'])]
