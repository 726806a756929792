import type { Language } from '../../checkout/pages/language.ts'

// All texts of a payment link's pages. Each language has the same keys. Amounts are already formatted.

const en = {
  about: 'A secure payment page.',
  testNotice: 'Test payment. No real money moves.',
  securedBy: 'Secured by Pesewa',
  // The titles appear in link previews and in the browser history, so they reveal neither the amount nor the
  // merchant.
  titles: {
    form: 'Payment',
    fault: 'Payment: check your details',
    ended: 'Payment not possible',
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
  each: 'Price each',
  times: (quantity: string, price: string) => `${quantity} × ${price}`,
  total: 'Total',
  go: 'Continue to payment',
  faultHeading: 'Please correct the following',
  faults: {
    amount: {
      missing: 'Enter the amount you want to pay.',
      invalid: 'Enter a valid amount, such as 150 or 150.50.',
      tooSmall: 'This is below the minimum amount.',
      tooLarge: 'This is above the maximum amount.',
    },
    quantity: {
      missing: 'Enter a quantity.',
      invalid: 'Enter a whole number.',
      tooSmall: 'This is below the minimum quantity.',
      tooLarge: 'This is above the maximum quantity.',
    },
    reference: {
      missing: 'Fill in this field so that the merchant knows what you are paying for.',
      invalid: 'Use letters or digits.',
      tooSmall: 'Use letters or digits.',
      tooLarge: 'This text is too long.',
    },
  },
  ended: {
    inactive: {
      heading: 'This link is not accepting payments right now',
      text: 'Contact the person who sent it to you.',
    },
    completed: { heading: 'This link has already been paid', text: 'It no longer accepts payments.' },
    expired: { heading: 'This link has expired', text: 'Ask the person who sent it to you for a new one.' },
    cancelled: {
      heading: 'This link is no longer valid',
      text: 'Ask the person who sent it to you for a new one.',
    },
    busy: {
      heading: 'Other people are paying right now',
      text: 'You can pay once they have finished. Try again in a few minutes.',
    },
    suspended: {
      heading: 'Payments unavailable',
      text: 'This merchant cannot accept payments right now. You have not been charged.',
    },
  },
  done: { heading: 'Payment received', order: 'Order number', receipt: 'Receipt' },
  questions: 'Questions?',
  terms: 'Terms',
  qr: {
    heading: 'Pay on your phone',
    text: 'Scan this code with your phone’s camera.',
    name: 'QR code with a link to this page',
  },
}

const fr: typeof en = {
  about: 'Une page de paiement sécurisée.',
  testNotice: 'Paiement de test. Aucun argent réel n’est transféré.',
  securedBy: 'Sécurisé par Pesewa',
  titles: {
    form: 'Paiement',
    fault: 'Paiement\u00a0: vérifiez vos informations',
    ended: 'Paiement impossible',
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
  each: 'Prix unitaire',
  times: (quantity, price) => `${quantity} × ${price}`,
  total: 'Total',
  go: 'Continuer vers le paiement',
  faultHeading: 'Veuillez corriger ce qui suit',
  faults: {
    amount: {
      missing: 'Saisissez le montant que vous souhaitez payer.',
      invalid: 'Saisissez un montant valide, par exemple 150 ou 150,50.',
      tooSmall: 'Ce montant est inférieur au minimum.',
      tooLarge: 'Ce montant dépasse le maximum.',
    },
    quantity: {
      missing: 'Saisissez une quantité.',
      invalid: 'Saisissez un nombre entier.',
      tooSmall: 'Cette quantité est inférieure au minimum.',
      tooLarge: 'Cette quantité dépasse le maximum.',
    },
    reference: {
      missing: 'Remplissez ce champ pour que le commerçant sache ce que vous payez.',
      invalid: 'Utilisez des lettres ou des chiffres.',
      tooSmall: 'Utilisez des lettres ou des chiffres.',
      tooLarge: 'Ce texte est trop long.',
    },
  },
  ended: {
    inactive: {
      heading: 'Ce lien n’accepte pas de paiements en ce moment',
      text: 'Contactez la personne qui vous l’a envoyé.',
    },
    completed: { heading: 'Ce lien a déjà été payé', text: 'Il n’accepte plus de paiements.' },
    expired: {
      heading: 'Ce lien a expiré',
      text: 'Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
    cancelled: {
      heading: 'Ce lien n’est plus valable',
      text: 'Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
    busy: {
      heading: 'D’autres personnes sont en train de payer',
      text: 'Vous pourrez payer quand elles auront terminé. Réessayez dans quelques minutes.',
    },
    suspended: {
      heading: 'Paiements indisponibles',
      text: 'Ce commerçant ne peut pas accepter de paiements pour le moment. Rien n’a été débité.',
    },
  },
  done: { heading: 'Paiement reçu', order: 'Numéro de commande', receipt: 'Reçu' },
  questions: 'Une question\u00a0?',
  terms: 'Conditions',
  qr: {
    heading: 'Payer sur votre téléphone',
    text: 'Scannez ce code avec l’appareil photo de votre téléphone.',
    name: 'Code QR vers cette page',
  },
}

export type LinkTexts = typeof en
export const linkTexts: Record<Language, LinkTexts> = { en, fr, kri: en, sw: en, pt: en }
