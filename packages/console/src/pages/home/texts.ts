import { createPageTexts } from '../../text/words.ts'

const percentOf = (completed: number, failed: number) => Math.round((100 * completed) / (completed + failed))

export const useTexts = createPageTexts(
  {
    today: 'Today',
    isBeingSummed: 'These figures are still being calculated.',
    collected: (count: number) => (count === 1 ? 'Collected, 1 payment' : `Collected, ${count} payments`),
    paidOut: (count: number) => (count === 1 ? 'Paid out, 1 payout' : `Paid out, ${count} payouts`),
    refunded: (count: number) => (count === 1 ? 'Refunded, 1 refund' : `Refunded, ${count} refunds`),
    days: 'Last 30 days',
    daysOf: (currency: string) =>
      `Amounts collected, paid out and refunded per day over the last 30 days, in ${currency}`,
    dayFigures: 'Daily figures',
    date: 'Date',
    moved: { collected: 'Collected', paidOut: 'Paid out', refunded: 'Refunded' },
    outcomes: 'Payments in the last 24 hours',
    rate: 'Success rate',
    rateOf: (completed: number, failed: number) =>
      `${percentOf(completed, failed)}% (${completed}/${completed + failed})`,
    completed: 'Completed',
    failed: 'Failed',
    underWay: 'In progress',
    held: (amount: string) => `${amount} held`,
    waiting: 'Needs attention',
    nothingWaits: 'All clear.',
    payouts: 'Payouts to approve',
    batches: 'Payout batches to approve',
    refunds: 'Refunds to approve',
    slowPayments: 'Payments in progress for over 10 minutes',
    slowPayouts: 'Payouts in progress for over 10 minutes',
    webhooks: 'Webhooks turned off or failing',
    latest: 'Latest payments',
    begin: 'Get started',
    beginLink: 'Create a checkout page',
    beginLinkWhy: 'You get a link and a QR code. Send the link to a payer, or open it yourself.',
    beginPay: 'Pay from a phone',
    beginPayWhy:
      'No real money moves in the test environment. Open the link and enter any phone number. A simulated provider approves the payment, and simulated phones show what the payer sees.',
    beginPayLive: 'Open the link on your own phone and pay a small amount.',
    beginSee: 'Watch the payment arrive',
    beginSeeWhy:
      'The payment appears automatically, here and in your list of payments. Try refunding part of it.',
  },
  {
    today: 'Aujourd’hui',
    isBeingSummed: 'Ces chiffres sont encore en cours de calcul.',
    collected: (count: number) => (count === 1 ? 'Encaissé, 1 paiement' : `Encaissé, ${count} paiements`),
    paidOut: (count: number) => (count === 1 ? 'Versé, 1 versement' : `Versé, ${count} versements`),
    refunded: (count: number) =>
      count === 1 ? 'Remboursé, 1 remboursement' : `Remboursé, ${count} remboursements`,
    days: '30 derniers jours',
    daysOf: (currency: string) =>
      `Montants encaissés, versés et remboursés par jour au cours des 30 derniers jours, en ${currency}`,
    dayFigures: 'Chiffres par jour',
    date: 'Date',
    moved: { collected: 'Encaissé', paidOut: 'Versé', refunded: 'Remboursé' },
    outcomes: 'Paiements des dernières 24 heures',
    rate: 'Taux de réussite',
    rateOf: (completed: number, failed: number) =>
      `${percentOf(completed, failed)} % (${completed}/${completed + failed})`,
    completed: 'Réussis',
    failed: 'Échoués',
    underWay: 'En cours',
    held: (amount: string) => `${amount} bloqués`,
    waiting: 'À traiter',
    nothingWaits: 'Rien à signaler.',
    payouts: 'Versements à approuver',
    batches: 'Lots de versements à approuver',
    refunds: 'Remboursements à approuver',
    slowPayments: 'Paiements en cours depuis plus de 10 minutes',
    slowPayouts: 'Versements en cours depuis plus de 10 minutes',
    webhooks: 'Webhooks désactivés ou en échec',
    latest: 'Derniers paiements',
    begin: 'Premiers pas',
    beginLink: 'Créez une page de paiement',
    beginLinkWhy: 'Vous obtenez un lien et un code QR. Envoyez le lien à un payeur, ou ouvrez-le vous-même.',
    beginPay: 'Payez depuis un téléphone',
    beginPayWhy:
      'Dans l’environnement de test, aucun argent réel ne circule. Ouvrez le lien et saisissez n’importe quel numéro : un prestataire simulé approuve le paiement, et des téléphones simulés montrent ce que voit le payeur.',
    beginPayLive: 'Ouvrez le lien sur votre téléphone et payez un petit montant.',
    beginSee: 'Suivez l’arrivée du paiement',
    beginSeeWhy:
      'Le paiement apparaît automatiquement, ici et dans la liste de vos paiements. Essayez d’en rembourser une partie.',
  },
)
