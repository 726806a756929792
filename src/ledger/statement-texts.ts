import { languageAccepted } from '../platform/http/accept.ts'

// Every word of a statement. A language is one more member with the same keys.

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
  reference: 'Reference',
  credit: 'Credit',
  debit: 'Debit',
  balance: 'Balance',
  opening: 'Opening balance',
  credits: 'All credits',
  debits: 'All debits',
  closing: 'Closing balance',
  count: (lines: string) => `Lines: ${lines}.`,
  /** Beside a reference, of which a column holds no more. */
  fee: 'fee',
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
  reference: 'Référence',
  credit: 'Crédit',
  debit: 'Débit',
  balance: 'Solde',
  opening: 'Solde d’ouverture',
  credits: 'Total des crédits',
  debits: 'Total des débits',
  closing: 'Solde de clôture',
  count: (lines) => `Lignes : ${lines}.`,
  fee: 'frais',
  proof: 'Solde d’ouverture + crédits − débits = solde de clôture',
  page: (page, pages) => `Page ${page} sur ${pages}`,
}

const words = { en, fr }
export type StatementTexts = typeof en

export const statementTexts = (acceptLanguage?: string): StatementTexts =>
  words[languageAccepted(acceptLanguage, ['en', 'fr'])]
