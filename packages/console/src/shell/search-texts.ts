import { createTexts } from '../text/languages.tsx'

type Pages = Record<string, string>

/** Other words for pages, by path, for people who do not know the name of a page. */
const englishWords: Pages = {
  '/payments': 'sales income transactions',
  '/refunds': 'return money back reversal',
  '/checkout-sessions': 'invoice link qr sell',
  '/payment-links': 'url qr poster shop',
  '/payment-codes': 'ussd dial',
  '/receipts': 'proof ticket',
  '/payouts': 'send withdraw transfer pay supplier',
  '/payout-batches': 'bulk csv salaries wages',
  '/approvals': 'approve confirm waiting',
  '/payers': 'customer client buyer',
  '/financial-accounts': 'money balance wallet',
  '/financial-transactions': 'ledger bookings',
  '/cases': 'dispute problem complaint',
  '/reports': 'statement export csv excel tax fees',
  '/settlements': 'bank deposit top up',
  '/webhooks': 'endpoint callback notification',
  '/access-tokens': 'api key secret',
  '/requests': 'api log errors',
  '/try': 'simulator sandbox example',
  '/settings': 'colour color logo brand name contact limit',
  '/team': 'invite invitation member role user colleague',
  '/audit': 'history who changed',
  '/security': 'password passkey authenticator 2fa',
  '/go-live': 'production activate real money',
}

const frenchWords: Pages = {
  '/payments': 'ventes encaissements recettes',
  '/refunds': 'rembourser retour argent',
  '/checkout-sessions': 'facture lien qr vendre',
  '/payment-links': 'url qr affiche boutique',
  '/payment-codes': 'ussd composer',
  '/receipts': 'preuve ticket',
  '/payouts': 'envoyer retirer payer fournisseur',
  '/payout-batches': 'csv salaires paie',
  '/approvals': 'approuver confirmer attente',
  '/payers': 'client acheteur payeur',
  '/financial-accounts': 'argent solde portefeuille',
  '/financial-transactions': 'grand livre operations',
  '/cases': 'litige probleme reclamation',
  '/reports': 'releve export csv excel impots frais',
  '/settlements': 'banque depot',
  '/webhooks': 'url rappel notification',
  '/access-tokens': 'api cle secret',
  '/requests': 'api journal erreurs',
  '/try': 'simulateur essai exemple',
  '/settings': 'couleur logo marque nom contact seuil',
  '/team': 'inviter invitation membre role utilisateur collegue',
  '/audit': 'historique qui modifie',
  '/security': 'mot de passe cle authentification',
  '/go-live': 'production activer reel',
}

/** Texts that only the search needs. They are not in `texts.ts`, which every page loads. */
export const useSearchTexts = createTexts(
  {
    searchHint: 'Phone, name, order number, ID, amount or page',
    closeSearch: 'Close search',
    results: 'Results',
    searching: 'Searching…',
    found: (count: number) =>
      count === 0
        ? 'No results. Search finds only complete phone numbers, order numbers and IDs.'
        : count === 1
          ? '1 result'
          : `${count} results`,
    page: 'Page',
    allOf: (list: string, amount: string) => `${list}: show all for ${amount}`,
    otherWords: englishWords,
    types: {
      payment: 'Payment',
      payout: 'Payout',
      refund: 'Refund',
      checkout_session: 'Checkout page',
      payment_link: 'Payment link',
      payment_code: 'Payment code',
      payout_batch: 'Batch',
      recall: 'Recall',
      internal_transfer: 'Transfer',
      financial_account: 'Account',
      settlement: 'Settlement',
      case: 'Case',
      webhook: 'Webhook',
      event: 'Event',
      delivery: 'Delivery',
      request: 'Request',
    } as Record<string, string>,
  },
  {
    searchHint: 'Téléphone, nom, commande, identifiant, montant ou page',
    closeSearch: 'Fermer la recherche',
    results: 'Résultats',
    searching: 'Recherche…',
    found: (count: number) =>
      count === 0
        ? 'Aucun résultat. Les numéros de téléphone, de commande et les identifiants incomplets ne sont pas recherchés.'
        : count === 1
          ? '1 résultat'
          : `${count} résultats`,
    page: 'Page',
    allOf: (list: string, amount: string) => `${list} : tout afficher pour ${amount}`,
    otherWords: frenchWords,
    types: {
      payment: 'Paiement',
      payout: 'Versement',
      refund: 'Remboursement',
      checkout_session: 'Page de paiement',
      payment_link: 'Lien de paiement',
      payment_code: 'Code de paiement',
      payout_batch: 'Lot',
      recall: 'Rappel de fonds',
      internal_transfer: 'Virement',
      financial_account: 'Compte',
      settlement: 'Règlement',
      case: 'Dossier',
      webhook: 'Webhook',
      event: 'Événement',
      delivery: 'Envoi',
      request: 'Requête',
    },
  },
)
