import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    intro:
      'You cannot approve payouts, batches or refunds that you created. Another member must approve them.',
    empty: {
      payouts: 'No payouts to approve.',
      batches: 'No batches to approve.',
      refunds: 'No refunds to approve.',
    },
    requestedBy: 'Requested by',
    requested: 'Requested',
    earlier: {
      payouts: 'Earlier payouts to this payee',
      batches: 'Payees',
      refunds: 'Earlier refunds to this payer',
    },
    availableAfter: {
      payouts: 'Balance after payout',
      batches: 'Balance after batch',
      refunds: 'Balance after refund',
    },
    decided: { approved: 'Approved:', rejected: 'Rejected:' },
    pick: (name: string) => `Select ${name}`,
    approveSelected: {
      payouts: (count: number) =>
        count === 0 ? 'Approve selected' : count === 1 ? 'Approve 1 payout' : `Approve ${count} payouts`,
      batches: (count: number) =>
        count === 0 ? 'Approve selected' : count === 1 ? 'Approve 1 batch' : `Approve ${count} batches`,
      refunds: (count: number) =>
        count === 0 ? 'Approve selected' : count === 1 ? 'Approve 1 refund' : `Approve ${count} refunds`,
    },
    approveSelectedText: {
      payouts: 'The money will be sent to these payees. This cannot be undone.',
      batches: 'All payouts in these batches will be sent. This cannot be undone.',
      refunds: 'The money will be returned to these payers. This cannot be undone.',
    },
  },
  {
    intro:
      'Vous ne pouvez pas approuver les versements, lots et remboursements que vous avez créés. Un autre membre doit le faire.',
    empty: {
      payouts: 'Aucun versement à approuver.',
      batches: 'Aucun lot à approuver.',
      refunds: 'Aucun remboursement à approuver.',
    },
    requestedBy: 'Demandé par',
    requested: 'Demandé',
    earlier: {
      payouts: 'Versements précédents à ce bénéficiaire',
      batches: 'Bénéficiaires',
      refunds: 'Remboursements précédents à ce payeur',
    },
    availableAfter: {
      payouts: 'Solde après le versement',
      batches: 'Solde après le lot',
      refunds: 'Solde après le remboursement',
    },
    decided: { approved: 'Approuvé\u00a0:', rejected: 'Refusé\u00a0:' },
    pick: (name: string) => `Sélectionner ${name}`,
    approveSelected: {
      payouts: (count: number) =>
        count === 0
          ? 'Approuver la sélection'
          : count === 1
            ? 'Approuver 1 versement'
            : `Approuver ${count} versements`,
      batches: (count: number) =>
        count === 0 ? 'Approuver la sélection' : count === 1 ? 'Approuver 1 lot' : `Approuver ${count} lots`,
      refunds: (count: number) =>
        count === 0
          ? 'Approuver la sélection'
          : count === 1
            ? 'Approuver 1 remboursement'
            : `Approuver ${count} remboursements`,
    },
    approveSelectedText: {
      payouts: 'L’argent sera envoyé à ces bénéficiaires. Cette action est irréversible.',
      batches: 'Tous les versements de ces lots seront envoyés. Cette action est irréversible.',
      refunds: 'L’argent sera rendu à ces payeurs. Cette action est irréversible.',
    },
  },
)
