import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    empty: 'No refunds yet. You can refund a completed payment from its page.',
    searchHint: 'ID, order number, reference…',
    payment: 'Payment',
    methods: { provider_refund: 'Refund by the provider', payout: 'Payout to the payer' },
    bearer: 'Fee paid by',
    bearers: { merchant: 'You', payer: 'The payer' },
    payerMessage: 'Message to the payer',
    decisions: {
      required: 'Pending approval',
      approved: 'Approved',
      rejected: 'Rejected',
    },
    approveTitle: 'Approve this refund?',
    approveWarning: (amount: string) =>
      `${amount} will be sent back to the payer immediately. This cannot be undone.`,
    rejectTitle: 'Reject this refund?',
    rejectWarning: 'Nothing will be sent, and the held money will become available again.',
    cancel: 'Cancel refund',
    cancelTitle: 'Cancel this refund?',
  },
  {
    empty: 'Aucun remboursement pour le moment. Un paiement réussi peut être remboursé depuis sa page.',
    searchHint: 'Identifiant, commande, référence…',
    payment: 'Paiement',
    methods: {
      provider_refund: 'Remboursement par le prestataire',
      payout: 'Versement au payeur',
    },
    bearer: 'Frais payés par',
    bearers: { merchant: 'Vous', payer: 'Le payeur' },
    payerMessage: 'Message au payeur',
    decisions: {
      required: 'En attente d’approbation',
      approved: 'Approuvé',
      rejected: 'Refusé',
    },
    approveTitle: 'Approuver ce remboursement ?',
    approveWarning: (amount: string) =>
      `${amount} seront renvoyés immédiatement au payeur. Cette action est irréversible.`,
    rejectTitle: 'Refuser ce remboursement ?',
    rejectWarning: 'Rien ne sera envoyé, et l’argent bloqué redeviendra disponible.',
    cancel: 'Annuler le remboursement',
    cancelTitle: 'Annuler ce remboursement ?',
  },
)
