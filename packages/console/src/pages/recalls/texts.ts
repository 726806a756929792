import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    title: 'Recalls',
    empty: 'No recalls yet. If a payout went to the wrong payee, you can recall it from its page.',
    states: { open: 'Requested', returned: 'Returned', refused: 'Declined', cancelled: 'Cancelled' },
    payout: 'Payout',
    reasons: {
      wrong_payee: 'Wrong payee',
      wrong_amount: 'Wrong amount',
      duplicate: 'Duplicate payout',
      fraudulent: 'Fraud',
      other: 'Other',
    },
    returned: 'Returned',
    explained:
      'The operator of this service asks the provider to return the money. Only the amount that the provider confirms is credited to your account.',
    create: 'Recall',
    createTitle: 'Recall this payout?',
    createText: (amount: string) =>
      `The provider will be asked to return up to ${amount}. The payee may decline.`,
    amountHint: 'Leave empty to recall the full amount.',
    cancel: 'Cancel recall',
    cancelTitle: 'Cancel this recall?',
    cancelText:
      'The operator will no longer ask the provider to return the money. If the provider returns it anyway, it will still be credited to your account.',
  },
  {
    title: 'Rappels de fonds',
    empty:
      'Aucun rappel de fonds pour le moment. Si un versement est allé au mauvais bénéficiaire, demandez le rappel des fonds depuis sa page.',
    states: { open: 'Demandé', returned: 'Restitué', refused: 'Refusé', cancelled: 'Annulé' },
    payout: 'Versement',
    reasons: {
      wrong_payee: 'Mauvais bénéficiaire',
      wrong_amount: 'Mauvais montant',
      duplicate: 'Versement en double',
      fraudulent: 'Fraude',
      other: 'Autre',
    },
    returned: 'Restitué',
    explained:
      'L’exploitant du service demande au prestataire de restituer l’argent. Seul le montant confirmé par le prestataire est crédité sur votre compte.',
    create: 'Rappeler les fonds',
    createTitle: 'Rappeler les fonds de ce versement ?',
    createText: (amount: string) =>
      `La restitution de ${amount} au maximum sera demandée au prestataire. Le bénéficiaire peut refuser.`,
    amountHint: 'Laissez vide pour rappeler la totalité du montant.',
    cancel: 'Annuler le rappel de fonds',
    cancelTitle: 'Annuler ce rappel de fonds ?',
    cancelText:
      'L’exploitant cessera de solliciter le prestataire. Tout montant restitué malgré cela sera crédité sur votre compte.',
  },
)
