import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    approvals: 'Approvals',
    intro: 'Nobody approves what they created themselves: another member does.',
    noPayouts: 'No payout waits for approval.',
    noBatches: 'No batch waits for approval.',
    noRefunds: 'No refund waits for approval.',
    decision: 'Decision',
    approve: 'Approve',
    reject: 'Reject',
    approveTitle: 'Approve this refund?',
    approveWarning: (amount: string) => `${amount} is sent back to the payer. This cannot be taken back.`,
    rejectTitle: 'Reject this refund?',
    rejectWarning: (amount: string) => `Nothing is sent back; ${amount} is available again.`,
  },
  {
    approvals: 'Approbations',
    intro: 'Personne n’approuve ce qu’il a créé lui-même : un autre membre le fait.',
    noPayouts: 'Aucun versement n’attend d’approbation.',
    noBatches: 'Aucun lot n’attend d’approbation.',
    noRefunds: 'Aucun remboursement n’attend d’approbation.',
    decision: 'Décision',
    approve: 'Approuver',
    reject: 'Refuser',
    approveTitle: 'Approuver ce remboursement ?',
    approveWarning: (amount: string) => `${amount} sont rendus au payeur, sans retour possible.`,
    rejectTitle: 'Refuser ce remboursement ?',
    rejectWarning: (amount: string) => `Rien n’est rendu ; ${amount} redeviennent disponibles.`,
  },
)
