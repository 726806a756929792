/** The words of the front page. The documents themselves are in English only. */
export const frontTexts = {
  en: {
    title: 'Pesewa: payments that add up',
    heading: 'Payments that add up',
    about: [
      'Pesewa is a payments service that a team runs itself: a JSON API, hosted payment pages, and a double-entry ledger that can prove itself. It is built for the mobile-money markets of Africa.',
      'A payer pays a checkout page or dials a code; merchants pay out to phones, bank accounts and wallets; whatever a provider does meanwhile, they learn the true outcome.',
    ],
    links: 'Where to go',
    console: ['The console', 'Sign in to see payments, refund them, and follow webhooks.'],
    documents: ['Guides', 'Taking payments, paying out, connecting providers, running the service.'],
    reference: ['API reference', 'Every call, to read and to try.'],
    simulator: ['Simulated phones', 'Approve a payment or dial a code in the test environment.'],
    programs: 'Programs get JSON at this address:',
    inEnglish: '',
  },
  fr: {
    title: 'Pesewa : des paiements qui tombent juste',
    heading: 'Des paiements qui tombent juste',
    about: [
      'Pesewa est un service de paiement qu’une équipe héberge elle-même : une API JSON, des pages de paiement et une comptabilité en partie double qui apporte sa propre preuve. Il est fait pour les marchés africains du mobile money.',
      'Le payeur règle sur une page ou compose un code ; le marchand verse de l’argent sur des téléphones, des comptes bancaires et des portefeuilles ; quoi que fasse un opérateur entre-temps, il apprend le vrai résultat.',
    ],
    links: 'Où aller',
    console: ['La console', 'Connectez-vous pour voir les paiements, les rembourser et suivre les webhooks.'],
    documents: ['Guides', 'Encaisser, verser, raccorder des opérateurs et exploiter le service.'],
    reference: ['Référence de l’API', 'Chaque appel, à lire et à essayer.'],
    simulator: [
      'Téléphones simulés',
      'Approuvez un paiement ou composez un code dans l’environnement de test.',
    ],
    programs: 'Les programmes reçoivent du JSON à cette adresse :',
    inEnglish: 'En anglais.',
  },
} as const

export type FrontLanguage = keyof typeof frontTexts

/** The first is that of whoever names none of them. */
export const frontLanguages = ['en', 'fr'] as const
