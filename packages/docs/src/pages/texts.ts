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
    demo: {
      heading: 'Try the demo',
      about:
        'Kadi’s Cloth, a shop in Freetown, has been selling for thirty days. All money is test money, and this part of the page is shown only on this computer.',
      pay: [
        'Pay as a customer',
        'Pay Le 300.00 for country cloth with any phone number, such as 076 123 456.',
      ],
      payButton: 'Open the checkout',
      phones: ['Use the phones', 'Approve or decline a payment, or dial the shop’s code.'],
      phonesLink: 'Open the phones',
      signIn: ['Work in the shop', 'Each person sees and does what their role allows.'],
      roles: {
        owner: ['Owner', 'approves the waiting payout'],
        finance: ['Finance', 'pays the tailors and closes the month'],
        support: ['Support', 'finds payments and refunds them'],
      },
      build: [
        'Build on it',
        'The samples in the API reference use the shop’s token, so you can run them as they are.',
      ],
      buildLink: 'Open the API reference',
      guides: 'Read the guides',
    },
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
    demo: {
      heading: 'Essayez la démo',
      about:
        'Kadi’s Cloth, une boutique de Freetown, vend depuis trente jours. Tout l’argent est fictif, et cette partie de la page ne s’affiche que sur cet ordinateur.',
      pay: [
        'Payez comme un client',
        'Réglez 300,00 Le de pagne avec n’importe quel numéro, par exemple 076 123 456.',
      ],
      payButton: 'Ouvrir la page de paiement',
      phones: [
        'Utilisez les téléphones',
        'Approuvez ou refusez un paiement, ou composez le code de la boutique.',
      ],
      phonesLink: 'Ouvrir les téléphones',
      signIn: ['Travaillez dans la boutique', 'Chaque personne voit et fait ce que son rôle permet.'],
      roles: {
        owner: ['Propriétaire', 'approuve le versement en attente'],
        finance: ['Finance', 'paie les tailleurs et clôture le mois'],
        support: ['Assistance', 'retrouve les paiements et les rembourse'],
      },
      build: [
        'Développez',
        'Les exemples de la référence de l’API utilisent le jeton de la boutique : exécutez-les tels quels.',
      ],
      buildLink: 'Référence de l’API (en anglais)',
      guides: 'Guides (en anglais)',
    },
  },
} as const

export type FrontLanguage = keyof typeof frontTexts

/** The languages of the front page. The first one is the default. */
export const frontLanguages = ['en', 'fr'] as const
