import { keysOf } from '@pesewa/values'

// All texts of the menus. They use the handset alphabet (`gsm7.ts`), which has no cedilla and no open vowels.

const en = {
  /** The language's own name, which is offered as a choice in the menus of the other languages. */
  name: 'English',
  enterNumber: 'Enter the code you were given:',
  enterAmount: (name: string, payee: string, currency: string) =>
    `${name}\nTo: ${payee}\nEnter the amount in ${currency}:`,
  invalidAmount: 'That is not a valid amount.',
  confirm: (name: string, payee: string, amount: string) => `${name}\nTo: ${payee}\nAmount: ${amount}`,
  /** Choices 1 and 2, which are shown below `confirm`. */
  pay: 'Pay',
  cancel: 'Cancel',
  /** Announces the provider's PIN prompt. */
  pinPrompt: (provider: string, amount: string) =>
    `${provider} will now ask for your PIN to pay ${amount}. Nothing is paid until you enter it.`,
  cancelled: 'Cancelled. You have paid nothing.',
  invalidCode: 'This code is not valid, or it has expired. Check it and dial again.',
  /** For the code of a checkout session. */
  orderPaid: 'This order has already been paid. Do not pay again.',
  orderClosed: 'This order can no longer be paid. It was cancelled, or it has expired.',
  lockedOut: (minutes: number) => `Too many wrong codes. Dial again in ${minutes} minutes.`,
  notFromThisNetwork: 'This code cannot be paid from your network.',
  /** Shown above the operator's message. */
  paused: (provider: string) =>
    `${provider} is not accepting payments at the moment. You have paid nothing. Dial again later.`,
  busy: 'Someone is paying this code right now. Dial again in a minute to see whether it is still open.',
  /** Shown if no PIN prompt was sent. */
  tooManyPrompts: (minutes: number) =>
    `Your phone is getting too many payment requests. This one was not sent, and nothing was paid. Dial again in ${minutes} min.`,
  menuEnded: 'This menu has ended. Dial again.',
  verified: 'Thank you. Your phone number is verified.',
  slow: 'This is taking longer than usual. If you are asked for your PIN, it is for this payment. If not, dial again.',
}

const fr: typeof en = {
  name: 'Francais',
  enterNumber: 'Entrez votre code :',
  enterAmount: (name, payee, currency) => `${name}\nA : ${payee}\nEntrez le montant en ${currency} :`,
  invalidAmount: "Ce montant n'est pas valide.",
  confirm: (name, payee, amount) => `${name}\nA : ${payee}\nMontant : ${amount}`,
  pay: 'Payer',
  cancel: 'Annuler',
  pinPrompt: (provider, amount) =>
    `${provider} va vous demander votre code PIN pour payer ${amount}. Rien n'est débité avant.`,
  cancelled: "Annulé. Vous n'avez rien payé.",
  invalidCode: "Ce code n'est pas valide ou a expiré. Vérifiez-le et recomposez.",
  orderPaid: 'Cette commande est déjà payée. Ne payez pas une deuxième fois.',
  orderClosed: 'On ne peut plus payer cette commande. Elle a été annulée, ou elle a expiré.',
  lockedOut: (minutes) => `Trop de codes erronés. Recomposez dans ${minutes} minutes.`,
  notFromThisNetwork: "Ce code n'accepte pas de paiements depuis votre réseau.",
  paused: (provider) =>
    `${provider} n'accepte pas de paiements en ce moment. Vous n'avez rien payé. Recomposez plus tard.`,
  busy: "Quelqu'un est en train de payer ce code. Recomposez dans une minute pour voir s'il est encore ouvert.",
  tooManyPrompts: (minutes) =>
    `Trop de demandes de paiement pour votre téléphone. Celle-ci n'a pas été envoyée et rien n'a été payé. Recomposez dans ${minutes} min.`,
  menuEnded: 'Ce menu est terminé. Recomposez.',
  verified: 'Merci. Votre numéro est vérifié.',
  slow: "Le traitement prend plus de temps que d'habitude. Si on vous demande votre PIN, c'est pour ce paiement. Sinon, recomposez.",
}

const kri: typeof en = {
  name: 'Krio',
  enterNumber: 'Put di kod we dem gi yu:',
  enterAmount: (name, payee, currency) => `${name}\nFo: ${payee}\nPut omos yu wan pe, na ${currency}:`,
  invalidAmount: 'Dat no to mani.',
  confirm: (name, payee, amount) => `${name}\nFo: ${payee}\nMani: ${amount}`,
  pay: 'Pe',
  cancel: 'Lef am',
  pinPrompt: (provider, amount) =>
    `${provider} go aks yu fo yu PIN naw fo pe ${amount}. Yu no pe natin bifo yu put am.`,
  cancelled: 'Yu don lef am. Yu no pe natin.',
  invalidCode: 'Dis kod no korekt, o in tem don pas. Chek am en dayal bak.',
  orderPaid: 'Dem don pe dis oda. No pe am igen.',
  orderClosed: 'Yu no ebul fo pe dis oda igen. Dem don kansel am, o in tem don pas.',
  lockedOut: (minutes) => `Yu don put bad kod tumos. Dayal bak insay ${minutes} minit.`,
  notFromThisNetwork: 'Yu no go ebul pe dis kod wit yu netwok.',
  paused: (provider) => `${provider} no de tek pe naw. Yu no pe natin. Dayal bak leta.`,
  busy: 'Dem de pe dis kod naw. Dayal bak afta wan minit fo si if i stil opin.',
  tooManyPrompts: (minutes) =>
    `Dem don de aks yu fon fo pe tumos. Dem no aks am fo dis wan, en yu no pe natin. Dayal bak insay ${minutes} minit.`,
  menuEnded: 'Dis menyu don don. Dayal bak.',
  verified: 'Tenki. Yu fon nomba don verifay.',
  slow: 'I de tek lon tem. If dem aks yu fo yu PIN, na fo dis pe. If no, dayal bak.',
}

export const menuTexts = { en, fr, kri }
export type MenuLanguage = keyof typeof menuTexts
export const menuLanguages = keysOf(menuTexts)
