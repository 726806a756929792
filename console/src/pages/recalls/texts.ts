import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    title: 'Recalls',
    empty: 'None. A payout that went to the wrong person is asked back from its page.',
    states: { open: 'Asked back', returned: 'Came back', refused: 'Refused', cancelled: 'Cancelled' },
    payout: 'Payout',
    reason: 'Why',
    reasons: {
      wrong_payee: 'Wrong payee',
      wrong_amount: 'Wrong amount',
      duplicate: 'Paid twice',
      fraudulent: 'Fraud',
      other: 'Another reason',
    },
    returned: 'Came back',
    explained: 'Whoever runs this service asks the provider. Only what it says came back is booked.',
    railReference: 'Reference of the provider',
    create: 'Ask back',
    createTitle: 'Ask this payout back?',
    createText: (amount: string) =>
      `The provider is asked to return up to ${amount}. Nothing is certain: the payee may refuse.`,
    amountIn: (currency: string) => `Amount in ${currency}`,
    amountHint: 'Empty: all of it.',
    cancel: 'Cancel the recall',
    cancelTitle: 'Cancel this recall?',
    cancelText: 'The provider is asked no more. What comes back all the same is still booked.',
  },
  {
    title: 'Rappels',
    empty: 'Aucun. Un versement à la mauvaise personne se redemande depuis sa page.',
    states: { open: 'Redemandé', returned: 'Revenu', refused: 'Refusé', cancelled: 'Annulé' },
    payout: 'Versement',
    reason: 'Pourquoi',
    reasons: {
      wrong_payee: 'Mauvais bénéficiaire',
      wrong_amount: 'Mauvais montant',
      duplicate: 'Payé deux fois',
      fraudulent: 'Fraude',
      other: 'Autre raison',
    },
    returned: 'Revenu',
    explained:
      'Ceux qui exploitent ce service demandent à l’opérateur. Seul ce qu’il dit revenu est comptabilisé.',
    railReference: 'Référence de l’opérateur',
    create: 'Redemander',
    createTitle: 'Redemander ce versement ?',
    createText: (amount: string) =>
      `Il est demandé à l’opérateur de rendre jusqu’à ${amount}. Rien n’est certain : le bénéficiaire peut refuser.`,
    amountIn: (currency: string) => `Montant en ${currency}`,
    amountHint: 'Vide : tout.',
    cancel: 'Annuler le rappel',
    cancelTitle: 'Annuler ce rappel ?',
    cancelText: 'Plus rien n’est demandé à l’opérateur. Ce qui revient malgré tout est comptabilisé.',
  },
)
