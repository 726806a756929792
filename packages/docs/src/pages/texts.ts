/** The texts of the front page. The documents are available only in English. */
export const frontTexts = {
  en: {
    title: 'Pesewa: payments that add up',
    heading: 'Payments that add up',
    about: [
      'Pesewa is a payments service that you host yourself: a JSON API, hosted payment pages, and a double-entry ledger that can prove its own integrity. It is built for Africa’s mobile money markets.',
      'Payers pay on a checkout page or by dialling a code. Merchants pay out to phones, bank accounts and wallets. Whatever happens at a provider, payers and merchants learn the true outcome.',
    ],
    links: 'Where to go',
    console: ['Console', 'Sign in to view payments, refund them and monitor webhooks.'],
    documents: ['Guides', 'Accept payments, pay out, connect providers and run the service.'],
    reference: ['API reference', 'Every call, with examples you can run.'],
    simulator: ['Simulated phones', 'Approve a payment or dial a code in the test environment.'],
    programs: 'The same URL returns JSON to programs:',
    inEnglish: '',
  },
  fr: {
    title: 'Pesewa : des paiements qui tombent juste',
    heading: 'Des paiements qui tombent juste',
    about: [
      'Pesewa est un service de paiement que vous hébergez vous-même : une API JSON, des pages de paiement et une comptabilité en partie double dont l’intégrité est vérifiable. Il est conçu pour les marchés africains du mobile money.',
      'Les payeurs règlent sur une page de paiement ou en composant un code. Les marchands versent de l’argent vers des téléphones, des comptes bancaires et des portefeuilles. Quoi qu’il arrive chez un opérateur, tous connaissent le vrai résultat.',
    ],
    links: 'Où aller',
    console: [
      'Console',
      'Connectez-vous pour consulter les paiements, les rembourser et surveiller les webhooks.',
    ],
    documents: ['Guides', 'Encaisser, verser, connecter des opérateurs et exploiter le service.'],
    reference: ['Référence de l’API', 'Tous les appels, avec des exemples à exécuter.'],
    simulator: [
      'Téléphones simulés',
      'Approuvez un paiement ou composez un code dans l’environnement de test.',
    ],
    programs: 'La même adresse renvoie du JSON aux programmes :',
    inEnglish: 'En anglais.',
  },
} as const

export type FrontLanguage = keyof typeof frontTexts

/** The languages of the front page. The first one is the default. */
export const frontLanguages = ['en', 'fr'] as const
