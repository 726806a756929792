import { useLanguage } from '../../text/languages.tsx'
import { createPageTexts } from '../../text/words.ts'

/** Returns a function that formats a share, such as 0.925, as a percentage. */
export function usePercent(options: Intl.NumberFormatOptions = {}): (share: number) => string {
  const { language } = useLanguage()
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1, ...options }).format
}

/** Returns a function that returns the words after a number. */
const oneOrMore = (one: string, more: string) => (count: number) => (count === 1 ? one : more)

const signed = (count: number) => `${count > 0 ? '+' : '−'}${Math.abs(count)}`

export const useTexts = createPageTexts(
  {
    today: 'Today',
    isBeingSummed: 'These figures are still being calculated.',
    counts: {
      collected: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
      paidOut: (count: number) => (count === 1 ? '1 payout' : `${count} payouts`),
      refunded: (count: number) => (count === 1 ? '1 refund' : `${count} refunds`),
    },
    fromYesterday: (percent: string) => `${percent} compared with all of yesterday`,
    yesterday: (amount: string) => `All of yesterday: ${amount}`,
    points: (count: number) =>
      `${signed(count)} point${Math.abs(count) === 1 ? '' : 's'} compared with yesterday`,
    same: 'Same as yesterday',
    noneYesterday: 'None yesterday',
    noComparison: 'No comparison with yesterday',
    week: (days: string[]) => `Last 7 days. ${days.join('; ')}`,
    days: 'Money in and out',
    period: 'Period',
    periodOf: (days: number) => `${days} days`,
    daysOf: (days: number, currency: string) =>
      `Amounts collected, paid out and refunded per day over the last ${days} days, in ${currency}`,
    dayFigures: 'Daily figures',
    date: 'Date',
    moved: { collected: 'Collected', paidOut: 'Paid out', refunded: 'Refunded' },
    outcomes: 'Success by provider in the last 24 hours',
    rate: 'Success rate',
    rateOf: (completed: number, all: number) =>
      all === 0 ? 'No payments yet today' : `${completed} of ${all} ${all === 1 ? 'payment' : 'payments'}`,
    topFailure: 'Most common failure reason',
    failures: {
      unknown: 'No reason given',
      fund_insufficient: 'Not enough money in the account',
      authorization_failed: 'Not approved by the payer',
      provider_unknown: 'Unknown provider',
      provider_unavailable: 'Provider unreachable',
      provider_account_blocked: 'Account blocked',
      provider_account_missing: 'Account does not exist',
      provider_account_quota_exhausted: 'Account limit reached',
      cancelled: 'Cancelled',
      rejected: 'Refused by the provider',
    } as Record<string, string>,
    completed: 'Completed',
    failed: 'Failed',
    underWay: 'In progress',
    held: (amount: string) => `${amount} held`,
    waiting: 'Needs attention',
    nothingWaits: 'All clear.',
    goLive: 'Before your first real payment',
    notReady: 'You cannot accept real payments yet.',
    almostReady: 'A provider is connected.',
    stepsDone: (done: number, all: number) => `${done} of ${all} steps done.`,
    toGoLive: 'See what is missing',
    payouts: oneOrMore('payout to approve', 'payouts to approve'),
    batches: oneOrMore('payout batch to approve', 'payout batches to approve'),
    refunds: oneOrMore('refund to approve', 'refunds to approve'),
    slow: {
      payments: oneOrMore(
        'payment in progress for over 10 minutes',
        'payments in progress for over 10 minutes',
      ),
      payouts: oneOrMore('payout in progress for over 10 minutes', 'payouts in progress for over 10 minutes'),
      refunds: oneOrMore('refund in progress for over 10 minutes', 'refunds in progress for over 10 minutes'),
    },
    webhooks: oneOrMore('failing webhook', 'failing webhooks'),
    cases: oneOrMore('open case', 'open cases'),
    latest: 'Latest payments',
    begin: 'Get started',
    beginWhy: 'No payments yet. Take your first one in three steps.',
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
    counts: {
      collected: (count: number) => (count > 1 ? `${count} paiements` : `${count} paiement`),
      paidOut: (count: number) => (count > 1 ? `${count} versements` : `${count} versement`),
      refunded: (count: number) => (count > 1 ? `${count} remboursements` : `${count} remboursement`),
    },
    fromYesterday: (percent: string) => `${percent} par rapport à toute la journée d’hier`,
    yesterday: (amount: string) => `Toute la journée d’hier : ${amount}`,
    points: (count: number) => `${signed(count)} point${Math.abs(count) === 1 ? '' : 's'} par rapport à hier`,
    same: 'Comme hier',
    noneYesterday: 'Aucun hier',
    noComparison: 'Pas de comparaison avec hier',
    week: (days: string[]) => `7 derniers jours. ${days.join('\u00a0; ')}`,
    days: 'Entrées et sorties d’argent',
    period: 'Période',
    periodOf: (days: number) => `${days} jours`,
    daysOf: (days: number, currency: string) =>
      `Montants encaissés, versés et remboursés par jour au cours des ${days} derniers jours, en ${currency}`,
    dayFigures: 'Chiffres par jour',
    date: 'Date',
    moved: { collected: 'Encaissé', paidOut: 'Versé', refunded: 'Remboursé' },
    outcomes: 'Réussite par prestataire, dernières 24 heures',
    rate: 'Taux de réussite',
    rateOf: (completed: number, all: number) =>
      all === 0
        ? 'Aucun paiement pour l’instant aujourd’hui'
        : `${completed} sur ${all} ${all === 1 ? 'paiement' : 'paiements'}`,
    topFailure: 'Motif d’échec le plus fréquent',
    failures: {
      unknown: 'Aucun motif indiqué',
      fund_insufficient: 'Solde insuffisant',
      authorization_failed: 'Non autorisé par le payeur',
      provider_unknown: 'Prestataire inconnu',
      provider_unavailable: 'Prestataire injoignable',
      provider_account_blocked: 'Compte bloqué',
      provider_account_missing: 'Compte inexistant',
      provider_account_quota_exhausted: 'Plafond du compte atteint',
      cancelled: 'Annulé',
      rejected: 'Refusé par le prestataire',
    },
    completed: 'Réussis',
    failed: 'Échoués',
    underWay: 'En cours',
    held: (amount: string) => `${amount} bloqués`,
    waiting: 'À traiter',
    nothingWaits: 'Rien à signaler.',
    goLive: 'Avant votre premier paiement réel',
    notReady: 'Vous ne pouvez pas encore recevoir de paiements réels.',
    almostReady: 'Un prestataire est connecté.',
    stepsDone: (done: number, all: number) =>
      done > 1 ? `${done} étapes sur ${all} terminées.` : `${done} étape sur ${all} terminée.`,
    toGoLive: 'Voir ce qui manque',
    payouts: oneOrMore('versement à approuver', 'versements à approuver'),
    batches: oneOrMore('lot de versements à approuver', 'lots de versements à approuver'),
    refunds: oneOrMore('remboursement à approuver', 'remboursements à approuver'),
    slow: {
      payments: oneOrMore(
        'paiement en cours depuis plus de 10 minutes',
        'paiements en cours depuis plus de 10 minutes',
      ),
      payouts: oneOrMore(
        'versement en cours depuis plus de 10 minutes',
        'versements en cours depuis plus de 10 minutes',
      ),
      refunds: oneOrMore(
        'remboursement en cours depuis plus de 10 minutes',
        'remboursements en cours depuis plus de 10 minutes',
      ),
    },
    webhooks: oneOrMore('webhook en échec', 'webhooks en échec'),
    cases: oneOrMore('dossier ouvert', 'dossiers ouverts'),
    latest: 'Derniers paiements',
    begin: 'Premiers pas',
    beginWhy: 'Aucun paiement pour l’instant. Recevez le premier en trois étapes.',
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
