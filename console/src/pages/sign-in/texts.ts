import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    title: 'Sign in',
    email: 'Email',
    send: 'Mail me a link',
    sent: 'If we know this address, a link is on its way. It works once, for 15 minutes.',
    redeeming: 'Signing you in …',
    failed: 'This link does not work: it was used before, or has expired. Ask for another one.',
    invitationFailed:
      'This invitation does not work: it was accepted before, withdrawn, or has expired. Ask for another one, or sign in.',
    singleSignOn: (name: string) => `Sign in with ${name}`,
    passkey: 'Sign in with a passkey',
    or: 'or',
    codeNeeded: 'Your link works. Now the second step.',
    finish: 'Sign in',
  },
  {
    title: 'Se connecter',
    email: 'Courriel',
    send: 'Recevoir un lien',
    sent: 'Si nous connaissons cette adresse, un lien est en route. Il sert une fois, pendant 15 minutes.',
    redeeming: 'Connexion en cours …',
    failed: 'Ce lien ne fonctionne pas : il a déjà servi, ou a expiré. Demandez-en un autre.',
    invitationFailed:
      'Cette invitation ne fonctionne pas : elle a déjà été acceptée, a été retirée ou a expiré. Demandez-en une autre, ou connectez-vous.',
    singleSignOn: (name: string) => `Se connecter avec ${name}`,
    passkey: 'Se connecter avec une clé d’accès',
    or: 'ou',
    codeNeeded: 'Votre lien fonctionne. Voici la seconde étape.',
    finish: 'Se connecter',
  },
)
