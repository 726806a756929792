import type { LinkTexts } from './link-texts-en.ts'

export const fr: LinkTexts = {
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
  each: 'l’unité',
  methodsLabel: 'Moyens de paiement',
  methods: { bank: 'Compte bancaire', card: 'Carte' },
  times: (quantity, price) => `${quantity} × ${price}`,
  go: 'Continuer vers le paiement',
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
  poster: {
    title: 'Affiche',
    open: 'Vous choisissez le montant',
    scan: 'Scannez pour payer',
    camera: 'Visez le code avec l’appareil photo de votre téléphone.',
    type: 'Ou saisissez cette adresse dans votre navigateur\u00a0:',
    dial: 'Sans internet\u00a0? Composez le',
    follow: 'Suivez ensuite les instructions sur votre téléphone.',
    until: (time) => `Valable jusqu’au ${time}.`,
    print: 'Imprimer',
    hint: 'Conçu pour une feuille A4.',
  },
  qr: {
    heading: 'Payer sur votre téléphone',
    text: 'Scannez ce code avec l’appareil photo de votre téléphone.',
    name: 'Code QR vers cette page',
  },
}
