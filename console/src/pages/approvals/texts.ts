import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    approvals: 'Approvals',
    intro: 'Nobody approves what they created themselves: another member does.',
    noPayouts: 'No payout waits for approval.',
    noBatches: 'No batch waits for approval.',
    noRefunds: 'No refund waits for approval.',
    decision: 'Decision',
  },
  {
    approvals: 'Approbations',
    intro: 'Personne n’approuve ce qu’il a créé lui-même : un autre membre le fait.',
    noPayouts: 'Aucun versement n’attend d’approbation.',
    noBatches: 'Aucun lot n’attend d’approbation.',
    noRefunds: 'Aucun remboursement n’attend d’approbation.',
    decision: 'Décision',
  },
)
