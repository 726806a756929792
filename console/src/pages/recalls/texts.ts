import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    title: 'Recalls',
    empty: 'No recalls yet. If a payout went to the wrong payee, request a recall from its page.',
    states: { open: 'Requested', returned: 'Returned', refused: 'Declined', cancelled: 'Cancelled' },
    payout: 'Payout',
    reason: 'Reason',
    reasons: {
      wrong_payee: 'Wrong payee',
      wrong_amount: 'Wrong amount',
      duplicate: 'Duplicate payout',
      fraudulent: 'Fraud',
      other: 'Other',
    },
    returned: 'Returned',
    explained:
      'The operator of this service asks the provider to return the money. Only what the provider confirms is credited.',
    railReference: 'Provider reference',
    create: 'Recall',
    createTitle: 'Recall this payout?',
    createText: (amount: string) =>
      `The provider will be asked to return up to ${amount}. The payee may decline.`,
    amountIn: (currency: string) => `Amount in ${currency}`,
    amountHint: 'Leave empty for the full amount.',
    cancel: 'Cancel recall',
    cancelTitle: 'Cancel this recall?',
    cancelText: 'The operator stops asking the provider. Money that is returned anyway is still credited.',
  },
  {
    title: 'Rappels',
    empty:
      'Aucun rappel pour le moment. Si un versement est allé au mauvais bénéficiaire, demandez son rappel depuis sa page.',
    states: { open: 'Demandé', returned: 'Restitué', refused: 'Refusé', cancelled: 'Annulé' },
    payout: 'Versement',
    reason: 'Motif',
    reasons: {
      wrong_payee: 'Mauvais bénéficiaire',
      wrong_amount: 'Mauvais montant',
      duplicate: 'Versement en double',
      fraudulent: 'Fraude',
      other: 'Autre',
    },
    returned: 'Restitué',
    explained:
      'L’exploitant du service demande au prestataire de restituer l’argent. Seul le montant confirmé par le prestataire est crédité.',
    railReference: 'Référence du prestataire',
    create: 'Rappeler',
    createTitle: 'Rappeler ce versement ?',
    createText: (amount: string) =>
      `Il est demandé au prestataire de restituer jusqu’à ${amount}. Le bénéficiaire peut refuser.`,
    amountIn: (currency: string) => `Montant en ${currency}`,
    amountHint: 'Laissez vide pour le montant total.',
    cancel: 'Annuler le rappel',
    cancelTitle: 'Annuler ce rappel ?',
    cancelText:
      'L’exploitant cesse de solliciter le prestataire. Un montant restitué malgré tout est crédité.',
  },
)
