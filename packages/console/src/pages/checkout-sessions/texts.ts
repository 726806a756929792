import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    expiresAfter: 'Expires after',
    shownToPayer: 'Shown to the payer.',
    makeLink: 'Create link',
    cancelLink: 'Cancel link',
    create: 'New checkout page',
    empty:
      'No checkout pages yet. Create one and send its link to the payer. Each page accepts only one payment.',
    searchHint: 'Name, order number, reference…',
    item: (n: number) => `Item ${n}`,
    itemName: 'Item',
    quantity: 'Quantity',
    addItem: 'Add item',
    removeItem: (n: number) => `Remove item ${n}`,
    notAQuantity: 'Enter a whole number from 1 to 100,000.',
    successUrl: 'Redirect after payment',
    cancelUrl: 'Redirect after cancellation',
    urlHint: 'A URL that starts with https://',
    cancelTitle: 'Cancel this checkout page?',
    cancelWarning:
      'Payers will no longer be able to use it. A payment already in progress may still go through.',
    linkHint: 'Send this link, or let the payer scan the QR code. Anyone with the link can pay.',
    noPayments: 'No payment attempts yet.',
    testHint:
      'In the test environment, pay with any phone number except those ending in 001 to 012. The payment is approved automatically.',
    linkTookNone: 'The payment link was no longer accepting payments',
  },
  {
    expiresAfter: 'Expire après',
    shownToPayer: 'Visible par le payeur.',
    makeLink: 'Créer le lien',
    cancelLink: 'Annuler le lien',
    create: 'Nouvelle page de paiement',
    empty:
      'Aucune page de paiement pour le moment. Créez-en une et envoyez son lien au payeur. Chaque page ne peut être payée qu’une fois.',
    searchHint: 'Nom, commande, référence…',
    item: (n: number) => `Article ${n}`,
    itemName: 'Article',
    quantity: 'Quantité',
    addItem: 'Ajouter un article',
    removeItem: (n: number) => `Retirer l’article ${n}`,
    notAQuantity: 'Saisissez un nombre entier de 1 à 100 000.',
    successUrl: 'Redirection après le paiement',
    cancelUrl: 'Redirection en cas d’abandon',
    urlHint: 'Une URL qui commence par https://',
    cancelTitle: 'Annuler cette page de paiement ?',
    cancelWarning:
      'Les payeurs ne pourront plus utiliser cette page. Un paiement en cours peut encore aboutir.',
    linkHint: 'Envoyez ce lien ou faites scanner le code QR. Toute personne disposant du lien peut payer.',
    noPayments: 'Aucune tentative de paiement pour le moment.',
    testHint:
      'Dans l’environnement de test, payez avec n’importe quel numéro, sauf ceux qui se terminent par 001 à 012 : le paiement est approuvé automatiquement.',
    linkTookNone: 'Le lien de paiement n’acceptait plus de paiements',
  },
)
