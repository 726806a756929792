import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    empty: 'No settlements yet. Float top-ups and provider payouts to your bank appear here.',
    kinds: {
      payout_to_bank: 'From the provider to the bank',
      float_top_up: 'Float top-up',
    },
    bankReference: 'Bank reference',
    chooseProvider: 'Choose a provider',
    valueDate: 'Value date',
    direction: 'Provider account',
    create: 'Record settlement',
    createText:
      'Enter the transaction as shown on your bank statement. Each bank reference can be recorded only once.',
    isAdvance: 'The provider paid in advance',
    advanceHint: 'Select this if the provider paid more than it owed.',
    reverse: 'Reverse',
    reverseTitle: 'Reverse this settlement?',
    reverseText:
      'The ledger entry is reversed but stays on record, and the bank reference can be used again.',
    by: 'Recorded by',
    advance: 'In advance',
    yes: 'Yes',
    reversedBy: (by: string, reason: string) => `${by}: ${reason}`,
    reversed: 'Reversed',
  },
  {
    empty:
      'Aucun règlement pour le moment. Les virements des prestataires vers votre banque et vos approvisionnements apparaissent ici.',
    kinds: {
      payout_to_bank: 'Du prestataire vers la banque',
      float_top_up: 'Approvisionnement',
    },
    bankReference: 'Référence bancaire',
    chooseProvider: 'Choisissez un prestataire',
    valueDate: 'Date de valeur',
    direction: 'Compte chez le prestataire',
    create: 'Enregistrer un règlement',
    createText:
      'Saisissez l’opération telle qu’elle figure sur votre relevé bancaire. Chaque référence bancaire ne peut être enregistrée qu’une fois.',
    isAdvance: 'Le prestataire a payé d’avance',
    advanceHint: 'Obligatoire si le prestataire a payé plus qu’il ne doit.',
    reverse: 'Contre-passer',
    reverseTitle: 'Contre-passer ce règlement ?',
    reverseText:
      'L’écriture est contre-passée mais reste consultable, et la référence bancaire peut être réutilisée.',
    by: 'Enregistré par',
    advance: 'D’avance',
    yes: 'Oui',
    reversedBy: (by: string, reason: string) => `${by} : ${reason}`,
    reversed: 'Contre-passé',
  },
)
