/** The texts of the page that browsers show for a refusal, by the kind of refusal. */
export const refusalTexts = {
  en: {
    missing: [
      'Page not found',
      'Nothing is at this address. Check it for typos, or start from the home page.',
    ],
    expired: ['Not available', 'What this address showed has expired or is no longer available.'],
    api: [
      'This address is for programs',
      'It belongs to the API, which programs call with an access token. To see your payments, sign in to the console.',
    ],
    refused: ['Request refused', 'The service cannot do this. Go back and check what you entered.'],
    paced: ['Too many requests', 'Wait a moment, then load this page again.'],
    failed: ['Something went wrong', 'The service has a problem. Wait a moment, then load this page again.'],
    home: 'Home',
    console: 'Console',
    reference: 'API reference',
    links: 'Where to go',
    reason: 'For support:',
  },
  fr: {
    missing: [
      'Page introuvable',
      'Il n’y a rien à cette adresse. Vérifiez-la ou repartez de la page d’accueil.',
    ],
    expired: ['Indisponible', 'Le contenu de cette adresse a expiré ou n’est plus disponible.'],
    api: [
      'Cette adresse est destinée aux programmes',
      'Elle fait partie de l’API, que les programmes appellent avec un jeton d’accès. Pour voir vos paiements, connectez-vous à la console.',
    ],
    refused: [
      'Demande refusée',
      'Le service ne peut pas effectuer cette opération. Revenez en arrière et vérifiez votre saisie.',
    ],
    paced: ['Trop de demandes', 'Patientez un instant, puis rechargez cette page.'],
    failed: [
      'Une erreur s’est produite',
      'Le service rencontre un problème. Patientez un instant, puis rechargez cette page.',
    ],
    home: 'Accueil',
    console: 'Console',
    reference: 'Référence de l’API',
    links: 'Où aller',
    reason: 'Pour l’assistance :',
  },
} as const

/** The first language is the default. */
export const refusalLanguages = ['en', 'fr'] as const
