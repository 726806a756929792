import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    approvals: 'Approvals',
    intro: 'You cannot approve what you created. Another member must approve it.',
    noPayouts: 'No payouts to approve.',
    noBatches: 'No batches to approve.',
    noRefunds: 'No refunds to approve.',
    decision: 'Decision',
  },
  {
    approvals: 'Approbations',
    intro: 'Vous ne pouvez pas approuver ce que vous avez créé. Un autre membre doit le faire.',
    noPayouts: 'Aucun versement à approuver.',
    noBatches: 'Aucun lot à approuver.',
    noRefunds: 'Aucun remboursement à approuver.',
    decision: 'Décision',
  },
)
