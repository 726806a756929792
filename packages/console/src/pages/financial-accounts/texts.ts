import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    accounts: 'Accounts',
    create: 'Open account',
    createTitle: 'Open an account',
    nameHint: 'What your team calls this account, such as “Rent”.',
    editTitle: 'Edit account',
    uvan: 'Account number',
    available: 'Available',
    held: 'Held',
    statement: 'Statement',
    opening: 'Opening balance',
    closing: 'Closing balance',
    credits: 'Credits',
    debits: 'Debits',
    pdf: 'Download PDF',
    firstLines: (shown: number, count?: number) =>
      `Showing the first ${shown}${count === undefined ? '' : ` of ${count}`} transactions. The CSV and Excel files contain all of them.`,
    tooManyToSum:
      'This month has too many transactions to total here. The CSV statement includes the totals.',
    allLines: 'All transactions on this account',
    holds: 'Holds',
    whatFor: 'Purpose',
  },
  {
    accounts: 'Comptes',
    create: 'Ouvrir un compte',
    createTitle: 'Ouvrir un compte',
    nameHint: 'Le nom que votre équipe donne à ce compte, par exemple « Loyer ».',
    editTitle: 'Modifier le compte',
    uvan: 'Numéro de compte',
    available: 'Disponible',
    held: 'Bloqué',
    statement: 'Relevé',
    opening: 'Solde initial',
    closing: 'Solde final',
    credits: 'Crédits',
    debits: 'Débits',
    pdf: 'Télécharger le PDF',
    firstLines: (shown: number, count?: number) =>
      `Les ${shown} premières écritures${count === undefined ? '' : ` sur ${count}`} sont affichées. Les fichiers CSV et Excel les contiennent toutes.`,
    tooManyToSum: 'Ce mois compte trop d’écritures pour afficher les totaux ici. Le relevé CSV les contient.',
    allLines: 'Toutes les écritures de ce compte',
    holds: 'Montants bloqués',
    whatFor: 'Objet',
  },
)
