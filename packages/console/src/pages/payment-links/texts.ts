import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    create: 'New payment link',
    empty: 'No payment links yet. Create one and share it. Anyone who opens it can pay.',
    searchHint: 'Link, session or payment ID',
    statuses: {
      active: 'Active',
      inactive: 'Paused',
      completed: 'Limit reached',
      expired: 'Expired',
      cancelled: 'Cancelled',
    },
    kinds: { fixed: 'Fixed price', open: 'Entered by the payer' },
    atLeast: (currency: string) => `Minimum in ${currency}`,
    atMost: (currency: string) => `Maximum in ${currency}`,
    between: 'Amount limits',
    quantity: 'Maximum quantity per payment',
    quantityHint: 'Leave empty to allow only one.',
    upTo: (count: number) => `Up to ${count}`,
    question: 'Question for the payer',
    questionHint: 'For example, “Invoice number” or “Pupil’s name”. Leave empty to ask nothing.',
    successText: 'Message after payment',
    linkHint: 'Send this link, hang up its poster or put it on a website. Anyone with the link can pay.',
    dialling: 'Code to dial',
    diallingHint:
      'People without internet dial this code to pay the same amount. It is on the poster. Its payments appear under Payment codes.',
    addCode: 'Add a code for 30 days',
    renewCode: 'Renew for 30 days',
    cancelTitle: 'Cancel this payment link?',
    cancelWarning:
      'Payers will no longer be able to use it. A payment already in progress may still go through.',
    sessions: 'Checkout sessions',
    noSessions: 'No checkout sessions yet.',
  },
  {
    create: 'Nouveau lien de paiement',
    empty:
      'Aucun lien de paiement pour le moment. Créez-en un et partagez-le : toute personne qui l’ouvre peut payer.',
    searchHint: 'Identifiant de lien, de session ou de paiement',
    statuses: {
      active: 'Actif',
      inactive: 'En pause',
      completed: 'Limite atteinte',
      expired: 'Expiré',
      cancelled: 'Annulé',
    },
    kinds: { fixed: 'Prix fixe', open: 'Saisi par le payeur' },
    atLeast: (currency: string) => `Minimum en ${currency}`,
    atMost: (currency: string) => `Maximum en ${currency}`,
    between: 'Limites du montant',
    quantity: 'Quantité maximale par paiement',
    quantityHint: 'Laissez vide pour un seul article.',
    upTo: (count: number) => `Jusqu’à ${count}`,
    question: 'Question au payeur',
    questionHint:
      'Par exemple « Numéro de facture » ou « Nom de l’élève ». Laissez vide pour ne rien demander.',
    successText: 'Message après le paiement',
    linkHint:
      'Envoyez ce lien, accrochez son affiche ou placez-le sur un site web. Toute personne disposant du lien peut payer.',
    dialling: 'Code à composer',
    diallingHint:
      'Les personnes sans internet composent ce code pour payer le même montant. Il figure sur l’affiche. Ses paiements apparaissent sous Codes de paiement.',
    addCode: 'Ajouter un code pour 30 jours',
    renewCode: 'Renouveler pour 30 jours',
    cancelTitle: 'Annuler ce lien de paiement ?',
    cancelWarning: 'Les payeurs ne pourront plus utiliser ce lien. Un paiement en cours peut encore aboutir.',
    sessions: 'Sessions de paiement',
    noSessions: 'Aucune session de paiement pour le moment.',
  },
)
