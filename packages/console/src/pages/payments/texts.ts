import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    empty: 'No payments yet. Create a payment link and send it to a payer.',
    allOfPayer: (phone: string) => `Activity for ${phone}: payments, refunds and payouts`,
    refundStates: { partial: 'Partially refunded', full: 'Refunded' },
    paidThrough: 'Paid via',
    origins: { checkout_session: 'Checkout page', payment_code: 'Payment code' },
    edit: 'Edit name and note',
    noteHint: 'Only your team can see this note.',
    pendingReasons: {
      approval: 'Pending approval',
      insufficient_balance: 'Waiting for funds',
      provider_unavailable: 'Waiting for the provider',
    },
    receipt: 'Receipt',
    openReceipt: 'View and redeem',
    redeemed: 'Redeemed',
    receiptLink: 'Payer’s receipt',
    searchHint: 'Name, phone, order number, amount…',
    toDo: 'Instructions for the payer',
    refund: 'Refund',
    refundTitle: 'Refund this payment',
    refundAmount: (amount: string) => `Refund ${amount}`,
    refundSelected: (count: number) => (count === 1 ? 'Refund 1 payment' : `Refund ${count} payments`),
    refundSelectedText:
      'Each payment is refunded in full. If part of it has already been refunded, the remainder is refunded.',
    notRefundable: (count: number) =>
      count === 1
        ? '1 selected payment cannot be refunded.'
        : `${count} selected payments cannot be refunded.`,
    refundGoesTo: 'Refund to',
    refundHint: (most: string) => `Up to ${most}`,
    feeIsKept: (fee: string) => `The fee for the payment, ${fee}, is not returned to you.`,
    reasons: {
      requested_by_customer: 'Requested by the payer',
      duplicate: 'Duplicate payment',
      fraudulent: 'Fraud',
      wrong_amount: 'Wrong amount',
      order_cancelled: 'Order cancelled',
      late_payment: 'Late payment',
      other: 'Other',
    },
    paidTwice: 'Paid twice',
    internalNote: 'Internal note',
  },
  {
    empty: 'Aucun paiement pour le moment. Créez un lien de paiement et envoyez-le à un payeur.',
    allOfPayer: (phone: string) => `Activité de ${phone} : paiements, remboursements et versements`,
    refundStates: { partial: 'Remboursé partiellement', full: 'Remboursé' },
    paidThrough: 'Payé via',
    origins: { checkout_session: 'Page de paiement', payment_code: 'Code de paiement' },
    edit: 'Modifier le nom et la note',
    noteHint: 'Visible uniquement par votre équipe.',
    pendingReasons: {
      approval: 'En attente d’approbation',
      insufficient_balance: 'En attente de fonds',
      provider_unavailable: 'En attente du prestataire',
    },
    receipt: 'Reçu',
    openReceipt: 'Voir et valider',
    redeemed: 'Utilisation',
    receiptLink: 'Reçu du payeur',
    searchHint: 'Nom, téléphone, commande, montant…',
    toDo: 'Instructions pour le payeur',
    refund: 'Rembourser',
    refundTitle: 'Rembourser ce paiement',
    refundAmount: (amount: string) => `Rembourser ${amount}`,
    refundSelected: (count: number) =>
      count === 1 ? 'Rembourser 1 paiement' : `Rembourser ${count} paiements`,
    refundSelectedText:
      'Chaque paiement est remboursé en totalité, ou à hauteur du solde s’il a déjà été remboursé en partie.',
    notRefundable: (count: number) =>
      count === 1
        ? '1 paiement sélectionné ne peut pas être remboursé.'
        : `${count} paiements sélectionnés ne peuvent pas être remboursés.`,
    refundGoesTo: 'Rembourser vers',
    refundHint: (most: string) => `Jusqu’à ${most}`,
    feeIsKept: (fee: string) => `Les frais du paiement, ${fee}, ne vous sont pas rendus.`,
    reasons: {
      requested_by_customer: 'Demandé par le payeur',
      duplicate: 'Paiement en double',
      fraudulent: 'Fraude',
      wrong_amount: 'Montant erroné',
      order_cancelled: 'Commande annulée',
      late_payment: 'Paiement tardif',
      other: 'Autre',
    },
    paidTwice: 'Payé deux fois',
    internalNote: 'Note interne',
  },
)

/** Returns the words for the reason of a refund. Members cannot choose `paid_twice`, which only Pesewa uses. */
export const reasonWords = <Reason extends string>(
  { reasons, paidTwice }: { reasons: Record<Reason, string>; paidTwice: string },
  reason: Reason | 'paid_twice',
): string => (reason === 'paid_twice' ? paidTwice : reasons[reason])
