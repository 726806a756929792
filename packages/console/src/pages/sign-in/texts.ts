import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    title: 'Sign in',
    send: 'Email me a link',
    sent: 'If this address has an account, a sign-in link is on its way. It works once and expires in 15 minutes.',
    redeeming: 'Signing you in…',
    failed: 'This link was already used or has expired. Request a new one.',
    invitationFailed:
      'This invitation was already accepted, was withdrawn or has expired. Ask for a new one, or sign in.',
    singleSignOn: (name: string) => `Sign in with ${name}`,
    passkey: 'Sign in with a passkey',
    or: 'or',
    codeNeeded: 'One more step: enter your code.',
    signIn: 'Sign in',
    signInAs: ['Sign in as ', '?'],
    join: 'Join',
    joinAs: (space: string, role: string) => [`Join ${space} as `, ` (${role})?`],
    signsOut: (email: string) =>
      `You are signed in as ${email}. This link belongs to another account and will sign you out.`,
    notAsked: 'If you did not request this link, someone may be trying to sign you in to their account.',
    askedElsewhere: 'This link was requested in another browser. Continue only if you requested it.',
    typeWhole: 'Enter the full email address this link belongs to.',
    wrongEmail: 'This link belongs to another email address.',
    stay: 'Stay signed in',
    change: 'Switch account',
    otherWays: 'Sign in another way',
    elsewhere: 'You cannot sign in at this address. Open the console at',
  },
  {
    title: 'Se connecter',
    send: 'Recevoir un lien par e-mail',
    sent: 'Si un compte existe pour cette adresse, un lien de connexion vient d’être envoyé. Il ne sert qu’une fois et expire dans 15 minutes.',
    redeeming: 'Connexion en cours…',
    failed: 'Ce lien a déjà été utilisé ou a expiré. Demandez-en un nouveau.',
    invitationFailed:
      'Cette invitation a déjà été acceptée, a été retirée ou a expiré. Demandez-en une nouvelle, ou connectez-vous.',
    singleSignOn: (name: string) => `Se connecter avec ${name}`,
    passkey: 'Se connecter avec une clé d’accès',
    or: 'ou',
    codeNeeded: 'Encore une étape : saisissez votre code.',
    signIn: 'Se connecter',
    signInAs: ['Se connecter en tant que ', ' ?'],
    join: 'Rejoindre',
    joinAs: (space: string, role: string) => [`Rejoindre ${space} en tant que `, ` (${role}) ?`],
    signsOut: (email: string) =>
      `Vous êtes connecté en tant que ${email}. Ce lien appartient à un autre compte et vous déconnectera.`,
    notAsked:
      'Si vous n’avez pas demandé ce lien, quelqu’un essaie peut-être de vous connecter à son propre compte.',
    askedElsewhere: 'Ce lien a été demandé dans un autre navigateur. Ne continuez que si c’était vous.',
    typeWhole: 'Saisissez l’adresse e-mail complète à laquelle ce lien appartient.',
    wrongEmail: 'Ce lien appartient à une autre adresse e-mail.',
    stay: 'Rester connecté',
    change: 'Changer de compte',
    otherWays: 'Se connecter autrement',
    elsewhere: 'Vous ne pouvez pas vous connecter à cette adresse. Ouvrez la console à l’adresse',
  },
)
