import type { RefundReason } from '../refunds/store.ts'

/** Texts of the emails to approvers, by language. */
export type MailTexts = {
  /** Prefix of the subject in the test environment. */
  test: string
  subject(amount: string, shop: string): string
  subjects(count: string, shop: string): string
  atLeast(count: number): string
  intro(shop: string): string
  intros(count: string, shop: string): string
  kinds: Record<'payout' | 'batch' | 'refund', string>
  payee: string
  payees(count: number): string
  payerOf(orderNumber: string): string
  requester: string
  operator: string
  reason: string
  reasons: Record<RefundReason, string>
  noReason: string
  all: string
  why(shop: string): string
}

export const mailTexts: Record<'en' | 'fr', MailTexts> = {
  en: {
    test: '[Test] ',
    subject: (amount, shop) => `Approval needed: ${amount} (${shop})`,
    subjects: (count, shop) => `${count} approvals needed (${shop})`,
    atLeast: (count) => `${count} or more`,
    intro: (shop) => `Your approval is needed at ${shop}.`,
    intros: (count, shop) => `${count} payouts, batches or refunds need your approval at ${shop}.`,
    kinds: { payout: 'Payout', batch: 'Batch of payouts', refund: 'Refund' },
    payee: 'Payee',
    payees: (count) => (count === 1 ? '1 payee' : `${count} payees`),
    payerOf: (orderNumber) => `payer of order ${orderNumber}`,
    requester: 'Requested by',
    operator: 'the operator of the service',
    reason: 'Reason',
    reasons: {
      requested_by_customer: 'Requested by the payer',
      duplicate: 'Duplicate payment',
      fraudulent: 'Fraud',
      wrong_amount: 'Wrong amount',
      order_cancelled: 'Order cancelled',
      late_payment: 'Late payment',
      paid_twice: 'Paid twice',
      other: 'Other',
    },
    noReason: 'not specified',
    all: 'All approvals:',
    why: (shop) =>
      `You received this email because your role at ${shop} can approve payouts and refunds. You get at most one such email every 10 minutes. Nothing is paid until a member approves it in the console.`,
  },
  fr: {
    test: '[Test] ',
    subject: (amount, shop) => `À approuver\u00a0: ${amount} (${shop})`,
    subjects: (count, shop) => `${count} approbations en attente (${shop})`,
    atLeast: (count) => `Au moins ${count}`,
    intro: (shop) => `${shop} attend votre approbation.`,
    intros: (count, shop) =>
      `${count} versements, lots ou remboursements attendent votre approbation (${shop}).`,
    kinds: { payout: 'Versement', batch: 'Lot de versements', refund: 'Remboursement' },
    payee: 'Bénéficiaire',
    payees: (count) => (count === 1 ? '1 bénéficiaire' : `${count} bénéficiaires`),
    payerOf: (orderNumber) => `payeur de la commande ${orderNumber}`,
    requester: 'Demandé par',
    operator: 'l’exploitant du service',
    reason: 'Motif',
    reasons: {
      requested_by_customer: 'Demandé par le payeur',
      duplicate: 'Paiement en double',
      fraudulent: 'Fraude',
      wrong_amount: 'Montant erroné',
      order_cancelled: 'Commande annulée',
      late_payment: 'Paiement tardif',
      paid_twice: 'Payé deux fois',
      other: 'Autre',
    },
    noReason: 'non précisé',
    all: 'Toutes les approbations\u00a0:',
    why: (shop) =>
      `Vous recevez cet e-mail car votre rôle chez ${shop} permet d’approuver les versements et les remboursements. Vous en recevez au plus un toutes les 10 minutes. Rien n’est payé sans l’approbation d’un membre dans la console.`,
  },
}
