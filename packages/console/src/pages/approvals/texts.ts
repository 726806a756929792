import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    intro:
      'You cannot approve payouts, batches or refunds that you created. Another member must approve them.',
    noPayouts: 'No payouts to approve.',
    noBatches: 'No batches to approve.',
    noRefunds: 'No refunds to approve.',
    decision: 'Decision',
  },
  {
    intro:
      'Vous ne pouvez pas approuver les versements, lots et remboursements que vous avez créés. Un autre membre doit le faire.',
    noPayouts: 'Aucun versement à approuver.',
    noBatches: 'Aucun lot à approuver.',
    noRefunds: 'Aucun remboursement à approuver.',
    decision: 'Décision',
  },
)
