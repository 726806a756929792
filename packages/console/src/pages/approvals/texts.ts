import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    intro:
      'You cannot approve payouts, batches or refunds that you created. Another member must approve them.',
    noPayouts: 'No payouts to approve.',
    noBatches: 'No batches to approve.',
    noRefunds: 'No refunds to approve.',
    requestedBy: 'Requested by',
    requested: 'Requested',
    earlier: 'Earlier payouts to this payee',
    firstPayout: 'First payout',
    last: 'last',
    unknown: 'Could not be read',
    pick: (name: string) => `Select ${name}`,
    anotherMember: 'Another member',
    approveSelected: (count: number) =>
      count === 0 ? 'Approve selected' : count === 1 ? 'Approve 1 payout' : `Approve ${count} payouts`,
    approveSelectedText: 'The money will be sent to these payees. This cannot be undone.',
  },
  {
    intro:
      'Vous ne pouvez pas approuver les versements, lots et remboursements que vous avez créés. Un autre membre doit le faire.',
    noPayouts: 'Aucun versement à approuver.',
    noBatches: 'Aucun lot à approuver.',
    noRefunds: 'Aucun remboursement à approuver.',
    anotherMember: 'Un autre membre',
    requestedBy: 'Demandé par',
    requested: 'Demandé',
    earlier: 'Versements précédents à ce bénéficiaire',
    firstPayout: 'Premier versement',
    last: 'dernier :',
    unknown: 'Lecture impossible',
    pick: (name: string) => `Sélectionner ${name}`,
    approveSelected: (count: number) =>
      count === 0
        ? 'Approuver la sélection'
        : count === 1
          ? 'Approuver 1 versement'
          : `Approuver ${count} versements`,
    approveSelectedText: 'L’argent sera envoyé à ces bénéficiaires. Cette action est irréversible.',
  },
)
