import type { Language } from '../../checkout/pages/language.ts'

// Every word of a payment link's pages. A language is one more member with the same keys. Amounts come formatted.

const en = {
  about: 'A secure payment page.',
  testNotice: 'Test payment. No real money moves.',
  securedBy: 'Secured by Pesewa',
  // Previews of links and a browser's history show these: nothing of what is paid or to whom.
  titles: {
    form: 'Payment',
    fault: 'Payment: please correct',
    ended: 'No payment possible',
    done: 'Payment received',
  },
  payTo: 'Pay to',
  amount: 'Amount',
  between: (low: string, high: string) => `From ${low} to ${high}.`,
  atLeast: (low: string) => `At least ${low}.`,
  atMost: (high: string) => `At most ${high}.`,
  quantity: 'Quantity',
  numbers: (low: string, high: string) => `From ${low} to ${high}.`,
  optional: '(optional)',
  each: 'Price of one',
  times: (quantity: string, price: string) => `${quantity} × ${price}`,
  total: 'Total',
  go: 'Continue to payment',
  faultHeading: 'Please correct this',
  faults: {
    amount: {
      missing: 'Enter the amount that you want to pay.',
      invalid: 'This is not an amount. Write it in digits, like 150 or 150.50.',
      tooSmall: 'This is less than can be paid here.',
      tooLarge: 'This is more than can be paid here.',
    },
    quantity: {
      missing: 'Enter how many.',
      invalid: 'This is not a whole number.',
      tooSmall: 'This is fewer than can be taken here.',
      tooLarge: 'This is more than can be taken here.',
    },
    reference: {
      missing: 'This is needed, so that the merchant knows what you pay for.',
      invalid: 'Write it with letters or digits.',
      tooSmall: 'Write it with letters or digits.',
      tooLarge: 'This is too long.',
    },
  },
  ended: {
    inactive: { heading: 'This link takes no payments right now', text: 'Ask who sent it to you.' },
    completed: { heading: 'This link has been paid', text: 'It takes no further payments.' },
    expired: { heading: 'This link has expired', text: 'Ask who sent it to you for a new one.' },
    cancelled: { heading: 'This link is no longer in use', text: 'Ask who sent it to you for a new one.' },
    busy: {
      heading: 'Others are paying right now',
      text: 'No further payment can begin until theirs have ended. Try again in a few minutes.',
    },
    suspended: {
      heading: 'No payments for now',
      text: 'This merchant takes no payments for now. Nothing was paid.',
    },
  },
  done: { heading: 'Payment received', order: 'Order number', receipt: 'Receipt' },
  questions: 'Questions?',
  terms: 'Terms',
  qr: {
    heading: 'Pay on your phone',
    text: 'Scan this code with your phone’s camera.',
    name: 'QR code with the address of this page',
  },
}

const fr: typeof en = {
  about: 'Une page de paiement sécurisée.',
  testNotice: 'Paiement de test. Aucun argent réel n’est transféré.',
  securedBy: 'Sécurisé par Pesewa',
  titles: {
    form: 'Paiement',
    fault: 'Paiement\u00a0: vérifiez vos informations',
    ended: 'Aucun paiement possible',
    done: 'Paiement reçu',
  },
  payTo: 'Payer à',
  amount: 'Montant',
  between: (low, high) => `De ${low} à ${high}.`,
  atLeast: (low) => `Au moins ${low}.`,
  atMost: (high) => `Au plus ${high}.`,
  quantity: 'Quantité',
  numbers: (low, high) => `De ${low} à ${high}.`,
  optional: '(facultatif)',
  each: 'Prix pour un',
  times: (quantity, price) => `${quantity} × ${price}`,
  total: 'Total',
  go: 'Continuer vers le paiement',
  faultHeading: 'Veuillez corriger ce qui suit',
  faults: {
    amount: {
      missing: 'Indiquez le montant que vous voulez payer.',
      invalid: 'Ce n’est pas un montant. Écrivez-le en chiffres, comme 150 ou 150,50.',
      tooSmall: 'C’est moins que le minimum ici.',
      tooLarge: 'C’est plus que le maximum ici.',
    },
    quantity: {
      missing: 'Indiquez combien.',
      invalid: 'Ce n’est pas un nombre entier.',
      tooSmall: 'C’est moins que le minimum ici.',
      tooLarge: 'C’est plus que le maximum ici.',
    },
    reference: {
      missing: 'C’est nécessaire pour que le commerçant sache ce que vous payez.',
      invalid: 'Écrivez-le avec des lettres ou des chiffres.',
      tooSmall: 'Écrivez-le avec des lettres ou des chiffres.',
      tooLarge: 'C’est trop long.',
    },
  },
  ended: {
    inactive: {
      heading: 'Ce lien ne prend pas de paiement en ce moment',
      text: 'Demandez à qui vous l’a envoyé.',
    },
    completed: { heading: 'Ce lien a été payé', text: 'Il ne prend plus de paiement.' },
    expired: { heading: 'Ce lien a expiré', text: 'Demandez-en un nouveau à qui vous l’a envoyé.' },
    cancelled: {
      heading: 'Ce lien n’est plus utilisé',
      text: 'Demandez-en un nouveau à qui vous l’a envoyé.',
    },
    busy: {
      heading: 'D’autres personnes sont en train de payer',
      text: 'Aucun autre paiement ne peut commencer avant la fin des leurs. Réessayez dans quelques minutes.',
    },
    suspended: {
      heading: 'Aucun paiement pour le moment',
      text: 'Ce commerçant ne prend pas de paiement pour le moment. Rien n’a été payé.',
    },
  },
  done: { heading: 'Paiement reçu', order: 'Numéro de commande', receipt: 'Reçu' },
  questions: 'Une question\u00a0?',
  terms: 'Conditions',
  qr: {
    heading: 'Payer sur votre téléphone',
    text: 'Scannez ce code avec l’appareil photo de votre téléphone.',
    name: 'Code QR avec l’adresse de cette page',
  },
}

export type LinkTexts = typeof en
export const linkTexts: Record<Language, LinkTexts> = { en, fr }
