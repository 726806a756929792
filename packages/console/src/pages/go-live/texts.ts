import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    intro: 'These steps lead to your first real payment. Each links to the page where you complete it.',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    done: 'Done',
    open: 'To do',
    required: 'Required',
    optional: 'Optional',
    copy: 'Copy from test',
    copyTitle: 'Copy the test settings to live?',
    copyText:
      'The name, color, logo, contact details and approval limits of the test environment replace those of the live environment.',
    security: {
      title: 'Protect your sign-in',
      text: 'Add a passkey or an authenticator app, so that access to your email alone is not enough to sign in.',
      action: 'Add a passkey',
    },
    brand: {
      title: 'Tell payers who you are',
      text: 'Payers see your name, your logo and your contact details.',
      action: 'Open settings',
    },
    team: {
      title: 'Invite a second person',
      text: 'The second person approves large payouts and refunds.',
      action: 'Invite a member',
    },
    limits: {
      title: 'Set approval limits',
      text: 'Payouts and refunds above a limit then need approval from a second person.',
      action: 'Set limits',
    },
    provider: {
      title: 'Connect a provider',
      text: 'Only the operator can do this: the company or person who runs this service and gave you access to it. Ask them to connect a provider for live payments.',
      textForOperators:
        'As the operator of this service, you connect the provider yourself. Its credentials go into a file on the server.',
      action: 'See how',
    },
    token: {
      title: 'Create a live access token',
      text: 'Test tokens do not work in the live environment. Skip this step if you only use payment links.',
      action: 'Create a token',
    },
    webhook: {
      title: 'Add a live webhook',
      text: 'Your system is then notified of payments as they happen.',
      action: 'Add a webhook',
    },
    payment: {
      title: 'Take a first small payment',
      text: 'Once a provider is connected, pay it yourself with a payment link, then refund it.',
      action: 'Create a payment link',
    },
  },
  {
    intro:
      'Ces étapes mènent au premier paiement réel. Chacune renvoie à la page où vous pouvez l’accomplir.',
    progress: (done: number, all: number) => `${done} sur ${all} terminées`,
    done: 'Fait',
    open: 'À faire',
    required: 'Obligatoire',
    optional: 'Facultatif',
    copy: 'Copier depuis le test',
    copyTitle: 'Copier les paramètres de test en production ?',
    copyText:
      'Le nom, la couleur, le logo, les coordonnées et les seuils d’approbation de l’environnement de test remplacent ceux de la production.',
    security: {
      title: 'Protégez votre connexion',
      text: 'Ajoutez une clé d’accès ou une application d’authentification, pour que personne ne puisse entrer avec votre seule adresse e-mail.',
      action: 'Ajouter une clé d’accès',
    },
    brand: {
      title: 'Dites qui vous êtes',
      text: 'Les payeurs voient votre nom, votre logo et comment vous joindre.',
      action: 'Ouvrir les paramètres',
    },
    team: {
      title: 'Invitez une deuxième personne',
      text: 'Une autre personne approuve les versements et remboursements importants.',
      action: 'Inviter un membre',
    },
    limits: {
      title: 'Fixez des seuils d’approbation',
      text: 'Au-dessus d’un seuil, un versement ou un remboursement nécessite une deuxième personne.',
      action: 'Fixer les seuils',
    },
    provider: {
      title: 'Connectez un prestataire',
      text: 'Seul l’exploitant peut le faire : l’entreprise ou la personne qui gère ce service et vous y a donné accès. Demandez-lui de connecter un prestataire pour les paiements réels.',
      textForOperators:
        'Vous exploitez ce service, vous le connectez donc vous-même : avec les identifiants de votre contrat, dans un fichier sur le serveur.',
      action: 'Voir comment',
    },
    token: {
      title: 'Créez un jeton d’accès de production',
      text: 'Les jetons de test ne fonctionnent pas en production. Ignorez cette étape si vous n’utilisez que des liens de paiement.',
      action: 'Créer un jeton',
    },
    webhook: {
      title: 'Ajoutez un webhook de production',
      text: 'Votre système est alors informé des paiements dès qu’ils ont lieu.',
      action: 'Ajouter un webhook',
    },
    payment: {
      title: 'Encaissez un premier petit paiement',
      text: 'Une fois un prestataire connecté, payez-le vous-même avec un lien de paiement, puis remboursez-le.',
      action: 'Créer un lien de paiement',
    },
  },
)
