import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    home: 'Home',
    balances: 'Balances',
    held: (amount: string) => `${amount} held`,
    waiting: 'Waits for somebody',
    nothingWaits: 'Nothing waits for you.',
    payouts: 'Payouts to approve',
    refunds: 'Refunds to approve',
    cases: 'Open cases',
    slowPayments: 'Payments without an outcome for over ten minutes',
    slowPayouts: 'Payouts without an outcome for over ten minutes',
    webhooks: 'Webhooks that are off, or do not get through',
    latest: 'Latest payments',
    begin: 'Where to begin',
    beginLink: 'Make a payment link',
    beginLinkWhy: 'It has a page and a QR code. Send it to somebody, or open it yourself.',
    beginPay: 'Pay it from a phone',
    beginPayWhy:
      'In test no money moves: open the link and type any phone number. A simulated provider approves it, and simulated phones show what the payer sees.',
    beginPayLive: 'Open the link on your own phone and pay a small amount.',
    beginSee: 'See it arrive',
    beginSeeWhy:
      'The payment appears here and among your payments, without reloading. Refund a part of it there.',
  },
  {
    home: 'Accueil',
    balances: 'Soldes',
    held: (amount: string) => `${amount} bloqués`,
    waiting: 'En attente de quelqu’un',
    nothingWaits: 'Rien ne vous attend.',
    payouts: 'Versements à approuver',
    refunds: 'Remboursements à approuver',
    cases: 'Dossiers ouverts',
    slowPayments: 'Paiements sans issue depuis plus de dix minutes',
    slowPayouts: 'Versements sans issue depuis plus de dix minutes',
    webhooks: 'Webhooks désactivés ou sans succès',
    latest: 'Derniers paiements',
    begin: 'Par où commencer',
    beginLink: 'Créez un lien de paiement',
    beginLinkWhy: 'Il mène à une page et a un code QR. Envoyez-le, ou ouvrez-le vous-même.',
    beginPay: 'Payez depuis un téléphone',
    beginPayWhy:
      'En test, aucun argent ne circule : ouvrez le lien et saisissez n’importe quel numéro. Un opérateur simulé accepte, et des téléphones simulés montrent ce que voit le payeur.',
    beginPayLive: 'Ouvrez le lien sur votre téléphone et payez un petit montant.',
    beginSee: 'Voyez l’argent arriver',
    beginSeeWhy:
      'Le paiement apparaît ici et parmi vos paiements, sans recharger la page. Remboursez-en une partie pour essayer.',
  },
)
