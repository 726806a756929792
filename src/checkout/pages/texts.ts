// Every word the payer reads. A language is one more member with the same keys. Amounts and times come formatted.

const en = {
  testNotice: 'Test payment. No real money moves.',
  test: {
    heading: 'Test numbers',
    intro: 'The last three digits of the number or account decide what happens:',
    outcomes: {
      fund_insufficient: 'Not enough money',
      declined: 'The payer declines',
      expired: 'No answer for a minute, then failed',
      slow: 'Paid after 30 seconds',
      unreported: 'Paid, and we find out by asking',
      provider_account_blocked: 'Account blocked',
      provider_account_missing: 'No such account',
      provider_account_quota_exhausted: 'Limit reached',
    },
    others: { numbers: 'any other', outcome: 'Paid' },
    phones: 'Open the simulated phones',
  },
  securedBy: 'Secured by Pesewa',
  about: 'A secure payment page.',
  orderDetails: (count: number) => (count === 1 ? 'Order details: 1 item' : `Order details: ${count} items`),
  quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
  orderName: 'Order',
  orderNumber: 'Order number',
  total: 'Total',
  returnTo: (merchant: string) => `Return to ${merchant}`,

  help: { questions: 'Questions?', terms: 'Terms' },

  messages: {
    notFound: {
      title: 'This payment page does not exist',
      text: 'The link is incomplete or wrong. Ask for a new one where you wanted to pay.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Please wait a moment and try again. If this continues, ask for a new payment link.',
    },
    failed: {
      title: 'Something went wrong on our side',
      text: 'Reload this page to check the status of your payment before you pay again.',
    },
  },

  // Previews of links and a browser's history show these: the state, and nothing of what is paid or to whom.
  titles: {
    choose: 'Payment: choose how to pay',
    failure: 'Payment failed: try again',
    fault: 'Payment: please correct',
    askedOften: 'Payment: try again later',
    waiting: 'Payment: waiting for your approval',
    paid: 'Payment received',
    cancelled: 'Payment cancelled',
    expired: 'Payment page expired',
    linkClosed: 'No payment possible',
    suspended: 'No payments for now',
  },

  qr: {
    heading: 'Pay on another device',
    text: 'Scan this code with your phone’s camera to open this page there.',
    name: 'QR code with the address of this page',
  },

  ways: { momo: 'Mobile money', bank: 'Bank account', wallet: 'Wallet', card: 'Card' },

  choose: {
    heading: 'Choose how to pay',
    headings: {
      momo: 'Pay with mobile money',
      bank: 'Pay from your bank account',
      wallet: 'Pay with your wallet',
      card: 'Pay by card',
    },
    way: 'Way to pay',
    provider: 'Choose your provider',
    card: 'Debit or credit card',
    cardHint: 'You enter your card details on the secure page that opens next.',
    pay: (total: string) => `Pay ${total}`,
    goOn: {
      card: 'Continue to card',
      bank: 'Continue to your bank',
      other: (provider: string) => `Continue to ${provider}`,
    },
    again: 'Try again',
    paying: 'Sending the request…',
    safety: 'You approve the payment with your provider. Never type a PIN or a password on this page.',
    until: (time: string) => `You can pay until ${time}.`,
    cancel: 'Cancel payment',
    cancelling: 'Cancelling…',
    closed: 'No provider can take this payment right now. Please try again in a few minutes.',
  },

  fields: {
    phone: { label: 'Mobile money number', hint: 'We will send a payment request to this phone.' },
    accountNumber: { label: 'Bank account number', hint: 'Your bank will ask you to approve the payment.' },
    walletId: {
      label: 'Wallet ID',
      hint: 'The number or name of your wallet. You approve the payment there.',
    },
  },

  askedOften: {
    heading: 'No payment request was sent',
    text: (minutes: number) =>
      `This phone is getting too many payment requests right now. Nothing was paid. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or use another number.`,
  },

  otherNetwork: {
    heading: 'Check the number',
    likely: (network: string, provider: string) =>
      `This looks like ${withArticle(network)} number, and you chose ${provider}.`,
    certain: (network: string, provider: string) =>
      `This looks like ${withArticle(network)} number. ${provider} cannot take a payment from it.`,
    instead: (provider: string) => `Pay with ${provider}`,
    anyway: (provider: string) => `Continue with ${provider}`,
  },

  faultHeading: 'Please correct this',
  faults: {
    provider: {
      missing: 'Choose how you want to pay.',
      invalid: 'You cannot pay this way here. Choose another way.',
    },
    phone: {
      missing: 'Enter the number of your mobile money account.',
      invalid: 'This is not a number this provider can reach. Check it and try again.',
    },
    accountNumber: {
      missing: 'Enter the number of your bank account.',
      invalid: 'This is not a bank account number: 6 to 20 digits and letters.',
    },
    walletId: {
      missing: 'Enter the ID of your wallet.',
      invalid: 'This is not a wallet ID: 3 to 64 characters without spaces.',
    },
  },

  failureHeading: 'The payment failed',
  failures: {
    unknown: 'Your provider gave no reason. Try again, or pay another way.',
    fund_insufficient: 'There is not enough money in this account. Top it up, or pay another way.',
    authorization_failed: 'The payment was not approved in time, or the PIN or code was wrong. Try again.',
    provider_unknown: 'This provider cannot take this payment. Choose another one.',
    provider_unavailable:
      'This provider is not responding right now. Nothing was taken. Choose another one, or try again in a few minutes.',
    provider_account_blocked: 'Your account is blocked. Contact your provider, or pay another way.',
    provider_account_missing:
      'This account does not exist at this provider. Check what you typed and the provider you chose.',
    provider_account_quota_exhausted:
      'This account has reached the limit your provider sets. Try again later, or pay another way.',
    cancelled: 'The payment was cancelled before it was made. You can try again.',
    rejected: 'The provider did not accept this payment. Choose another provider, or try again later.',
  },

  waiting: {
    phone: {
      heading: (_provider: string) => 'Approve on your phone',
      sent: (provider: string) => `We asked ${provider} to send a payment request to`,
      steps: (total: string) => [
        'Open the request on that phone.',
        `Check that the amount is ${total}.`,
        'Enter your PIN there to approve.',
      ],
    },
    provider: {
      heading: (provider: string) => `Approve with ${provider}`,
      sent: (provider: string) => `We asked ${provider} for a payment from`,
      steps: (total: string) => [
        'Open the message or the app of your provider.',
        `Check that the amount is ${total}.`,
        'Approve the payment there.',
      ],
    },
    guidance: {
      heading: (provider: string) => `${provider} says`,
      dial: (code: string) => `Dial ${code}`,
    },
    code: {
      heading: (provider: string) => `Type the code from ${provider}`,
      label: 'Code',
      hint: (provider: string) =>
        `The code that ${provider} shows or sends you for this payment. It is not your PIN.`,
      again:
        'We passed your code on. If this field is still here in a moment, check the code and type it again.',
      fault: 'This is not a code: 4 to 12 digits.',
      submit: 'Send code',
      submitting: 'Sending the code…',
      given: {
        heading: 'We are waiting for the answer',
        status: 'Waiting for the provider',
        text: (provider: string) =>
          `We passed your code on to ${provider}. If your phone asks you for nothing more, there is nothing more to do.`,
      },
    },
    elsewhere: {
      go: (provider: string) => `Continue to ${provider}`,
      text: (total: string) =>
        `Check that the amount is ${total} and approve it on the page that opens. After that you return here.`,
      card: 'the card page',
    },
    dial: {
      text: (provider: string) =>
        `No request on your phone? Dial this code and look for your approvals at ${provider}.`,
      action: (code: string) => `Dial ${code}`,
    },
    left: 'Minutes left to pay:',
    other: {
      heading: 'Wrong number, or no longer wanted?',
      prompt: (_provider: string) =>
        'We cannot call back a request that was sent. Decline it on that phone, or leave it until it runs out.',
      elsewhere: (provider: string) => `Open the page of ${provider} once more and cancel there.`,
      afterwards: 'After that you can change the number, pay another way or cancel, here on this page.',
    },
    soon: {
      heading: 'One moment',
      text: (provider: string) => `We are connecting you to ${provider}.`,
    },
    status: 'Waiting for your approval',
    slow: 'This is taking longer than usual. If you have already approved, do not pay again: this page will show the result.',
    stopped:
      'We have stopped checking. If you have approved, do not pay again: check once more to see the result.',
    check: 'Check now',
  },

  paid: {
    heading: 'Payment received',
    text: (total: string, merchant: string) => `You paid ${total} to ${merchant}.`,
    keep: 'Keep this number. The merchant can find your payment with it.',
    receipt: 'View receipt',
  },

  cancelled: {
    heading: 'Payment cancelled',
    text: (merchant: string) =>
      `This page can no longer be paid. To pay after all, ask ${merchant} for a new link.`,
  },

  expired: {
    heading: 'This payment page has expired',
    text: (merchant: string) => `It can no longer be paid. To pay, ask ${merchant} for a new link.`,
  },

  /** `over`: the payment link has ended; `busy`: it may take payments again. */
  linkClosed: {
    over: {
      heading: 'This payment link takes no more payments',
      text: (merchant: string) =>
        `Nothing was paid here. If you still want to pay, ask ${merchant} for a new link.`,
    },
    busy: {
      heading: 'This payment link could take no payment from you',
      text: (merchant: string) =>
        `Others were paying, or ${merchant} had paused the link. Nothing was paid here. Open the link again: it says whether you can pay now.`,
    },
    open: 'Open the link again',
  },

  suspended: {
    heading: 'This shop takes no payments for now',
    text: (merchant: string) => `It cannot be paid here now. Please ask ${merchant} how to pay.`,
  },
}

/** `an Africell`, `an MTN`, `a Moov`: capitals alone are spelt out. */
const withArticle = (name: string) => (/^([AEIO]|[FLMNRSX][A-Z])/.test(name) ? `an ${name}` : `a ${name}`)

export type Texts = typeof en

const fr: Texts = {
  testNotice: 'Paiement de test, sans argent réel.',
  test: {
    heading: 'Numéros de test',
    intro: 'Les trois derniers chiffres du numéro ou du compte décident de la suite\u00a0:',
    outcomes: {
      fund_insufficient: 'Solde insuffisant',
      declined: 'Le payeur refuse',
      expired: 'Une minute sans réponse, puis échec',
      slow: 'Payé après 30 secondes',
      unreported: 'Payé, ce que nous apprenons en le demandant',
      provider_account_blocked: 'Compte bloqué',
      provider_account_missing: 'Compte inexistant',
      provider_account_quota_exhausted: 'Limite atteinte',
    },
    others: { numbers: 'tout autre', outcome: 'Payé' },
    phones: 'Ouvrir les téléphones simulés',
  },
  securedBy: 'Sécurisé par Pesewa',
  about: 'Une page de paiement sécurisée.',
  orderDetails: (count) =>
    count === 1 ? 'Détail de la commande\u00a0: 1 article' : `Détail de la commande\u00a0: ${count} articles`,
  quantity: (quantity, price) => `${quantity} × ${price}`,
  orderName: 'Commande',
  orderNumber: 'Numéro de commande',
  total: 'Total',
  returnTo: (merchant) => `Retourner chez ${merchant}`,

  help: { questions: 'Une question\u00a0?', terms: 'Conditions' },

  messages: {
    notFound: {
      title: 'Cette page de paiement n’existe pas',
      text: 'Le lien est incomplet ou faux. Redemandez-le là où vous vouliez payer.',
    },
    tooMany: {
      title: 'Trop de tentatives',
      text: 'Patientez un instant et réessayez. Si cela dure, demandez un nouveau lien de paiement.',
    },
    failed: {
      title: 'Une erreur s’est produite de notre côté',
      text: 'Rechargez cette page pour voir où en est votre paiement avant de payer à nouveau.',
    },
  },

  titles: {
    choose: 'Paiement\u00a0: choisissez comment payer',
    failure: 'Paiement refusé\u00a0: réessayez',
    fault: 'Paiement\u00a0: à corriger',
    askedOften: 'Paiement\u00a0: réessayez plus tard',
    waiting: 'Paiement\u00a0: en attente de votre accord',
    paid: 'Paiement reçu',
    cancelled: 'Paiement annulé',
    expired: 'Page de paiement expirée',
    linkClosed: 'Aucun paiement possible',
    suspended: 'Aucun paiement pour le moment',
  },

  qr: {
    heading: 'Payer sur un autre appareil',
    text: 'Scannez ce code avec l’appareil photo de votre téléphone pour y ouvrir cette page.',
    name: 'Code QR avec l’adresse de cette page',
  },

  ways: { momo: 'Mobile money', bank: 'Compte bancaire', wallet: 'Portefeuille', card: 'Carte' },

  choose: {
    heading: 'Comment payer\u00a0?',
    headings: {
      momo: 'Payer par mobile money',
      bank: 'Payer depuis votre compte bancaire',
      wallet: 'Payer avec votre portefeuille',
      card: 'Payer par carte',
    },
    way: 'Moyen de paiement',
    provider: 'Choisissez votre opérateur',
    card: 'Carte de débit ou de crédit',
    cardHint: 'Vous saisissez les données de votre carte sur la page sécurisée qui suit.',
    pay: (total) => `Payer ${total}`,
    goOn: {
      card: 'Continuer par carte',
      bank: 'Aller à votre banque',
      other: (provider) => `Continuer vers ${provider}`,
    },
    again: 'Réessayer',
    paying: 'Envoi de la demande…',
    safety:
      'Vous approuvez le paiement chez votre opérateur. Ne tapez jamais un code PIN ou un mot de passe sur cette page.',
    until: (time) => `Vous pouvez payer jusqu’au ${time}.`,
    cancel: 'Annuler le paiement',
    cancelling: 'Annulation…',
    closed: 'Aucun opérateur ne peut prendre ce paiement pour le moment. Réessayez dans quelques minutes.',
  },

  fields: {
    phone: {
      label: 'Numéro mobile money',
      hint: 'Nous envoyons une demande de paiement à ce téléphone.',
    },
    accountNumber: {
      label: 'Numéro de compte bancaire',
      hint: 'Votre banque vous demande d’approuver le paiement.',
    },
    walletId: {
      label: 'Identifiant du portefeuille',
      hint: 'Le numéro ou le nom de votre portefeuille. Vous y approuvez le paiement.',
    },
  },

  askedOften: {
    heading: 'Ce téléphone n’a pas été sollicité',
    text: (minutes: number) =>
      `Trop de paiements lui sont demandés en ce moment. Rien n’a été payé. Réessayez dans ${minutes === 1 ? 'une minute' : `${minutes} minutes`}, ou utilisez un autre numéro.`,
  },

  otherNetwork: {
    heading: 'Vérifiez le numéro',
    likely: (network, provider) =>
      `Ce numéro semble être un numéro ${network}, et vous avez choisi ${provider}.`,
    certain: (network, provider) =>
      `Ce numéro semble être un numéro ${network}. ${provider} ne peut pas en recevoir un paiement.`,
    instead: (provider) => `Payer avec ${provider}`,
    anyway: (provider) => `Continuer avec ${provider}`,
  },

  faultHeading: 'À corriger',
  faults: {
    provider: {
      missing: 'Choisissez comment vous voulez payer.',
      invalid: 'Ce moyen ne peut pas servir pour ce paiement. Choisissez-en un autre.',
    },
    phone: {
      missing: 'Saisissez le numéro de votre compte mobile money.',
      invalid: 'Cet opérateur ne peut pas joindre ce numéro. Vérifiez-le et réessayez.',
    },
    accountNumber: {
      missing: 'Saisissez le numéro de votre compte bancaire.',
      invalid: 'Ce n’est pas un numéro de compte\u00a0: il a de 6 à 20 chiffres et lettres.',
    },
    walletId: {
      missing: 'Saisissez l’identifiant de votre portefeuille.',
      invalid: 'Ce n’est pas un identifiant\u00a0: il a de 3 à 64 caractères sans espaces.',
    },
  },

  failureHeading: 'Le paiement a échoué',
  failures: {
    unknown: 'Votre opérateur n’a pas dit pourquoi. Réessayez, ou payez autrement.',
    fund_insufficient: 'Il n’y a pas assez d’argent sur ce compte. Rechargez-le, ou payez autrement.',
    authorization_failed:
      'Le paiement n’a pas été approuvé à temps, ou le code était faux. Vous pouvez réessayer.',
    provider_unknown: 'Cet opérateur ne peut pas prendre ce paiement. Choisissez-en un autre.',
    provider_unavailable:
      'Cet opérateur ne répond pas en ce moment. Rien n’a été prélevé. Choisissez-en un autre, ou réessayez dans quelques minutes.',
    provider_account_blocked: 'Votre compte est bloqué. Adressez-vous à votre opérateur, ou payez autrement.',
    provider_account_missing:
      'Cet opérateur ne connaît pas ce compte. Vérifiez votre saisie et l’opérateur choisi.',
    provider_account_quota_exhausted:
      'Ce compte a atteint la limite fixée par votre opérateur. Réessayez plus tard, ou payez autrement.',
    cancelled: 'Le paiement a été annulé avant d’être fait. Vous pouvez réessayer.',
    rejected: 'L’opérateur n’a pas pris ce paiement. Choisissez-en un autre, ou réessayez plus tard.',
  },

  waiting: {
    phone: {
      heading: () => 'Approuvez sur votre téléphone',
      sent: (provider) => `Nous avons demandé à ${provider} d’envoyer une demande de paiement au`,
      steps: (total) => [
        'Ouvrez la demande sur ce téléphone.',
        `Vérifiez que le montant est ${total}.`,
        'Saisissez-y votre code PIN pour approuver.',
      ],
    },
    provider: {
      heading: (provider) => `Approuvez chez ${provider}`,
      sent: (provider) => `Nous avons demandé à ${provider} un paiement depuis`,
      steps: (total) => [
        'Ouvrez le message ou l’application de votre opérateur.',
        `Vérifiez que le montant est ${total}.`,
        'Approuvez-y le paiement.',
      ],
    },
    guidance: {
      heading: (provider) => `${provider} indique`,
      dial: (code) => `Composer ${code}`,
    },
    code: {
      heading: (provider) => `Saisissez le code de ${provider}`,
      label: 'Code',
      hint: (provider) =>
        `Le code que ${provider} affiche ou vous envoie pour ce paiement. Ce n’est pas votre code PIN.`,
      again:
        'Votre code est transmis. Si ce champ reste affiché, vérifiez le code et saisissez-le à nouveau.',
      fault: 'Ce n’est pas un code\u00a0: 4 à 12 chiffres.',
      submit: 'Envoyer le code',
      submitting: 'Envoi du code…',
      given: {
        heading: 'Nous attendons la réponse',
        status: 'En attente de l’opérateur',
        text: (provider) =>
          `Votre code est transmis à ${provider}. Si votre téléphone ne vous demande plus rien, il n’y a plus rien à faire.`,
      },
    },
    elsewhere: {
      go: (provider) => `Continuer vers ${provider}`,
      text: (total) =>
        `Vérifiez que le montant est ${total} et approuvez-le sur la page qui s’ouvre. Vous reviendrez ensuite ici.`,
      card: 'la page de la carte',
    },
    dial: {
      text: (provider) =>
        `Aucune demande sur votre téléphone\u00a0? Composez ce code et cherchez vos approbations chez ${provider}.`,
      action: (code) => `Composer ${code}`,
    },
    left: 'Minutes restantes pour payer\u00a0:',
    other: {
      heading: 'Mauvais numéro, ou vous renoncez\u00a0?',
      prompt: () =>
        'Nous ne pouvons pas retirer une demande envoyée. Refusez-la sur ce téléphone, ou laissez-la expirer.',
      elsewhere: (provider) => `Ouvrez à nouveau la page de ${provider} et annulez-y.`,
      afterwards: 'Ensuite vous pourrez changer le numéro, payer autrement ou annuler, ici sur cette page.',
    },
    soon: {
      heading: 'Un instant',
      text: (provider) => `Nous vous connectons à ${provider}.`,
    },
    status: 'En attente de votre accord',
    slow: 'Cela dure plus longtemps que d’habitude. Si vous avez déjà approuvé, ne payez pas à nouveau\u00a0: cette page montrera le résultat.',
    stopped:
      'Nous ne vérifions plus. Si vous avez approuvé, ne payez pas à nouveau\u00a0: vérifiez encore une fois pour voir le résultat.',
    check: 'Vérifier maintenant',
  },

  paid: {
    heading: 'Paiement reçu',
    text: (total, merchant) => `Vous avez payé ${total} à ${merchant}.`,
    keep: 'Gardez ce numéro. Le commerçant peut retrouver votre paiement avec lui.',
    receipt: 'Voir le reçu',
  },

  cancelled: {
    heading: 'Paiement annulé',
    text: (merchant) =>
      `Cette page ne peut plus être payée. Pour payer quand même, demandez un nouveau lien à ${merchant}.`,
  },

  expired: {
    heading: 'Cette page de paiement a expiré',
    text: (merchant) => `Elle ne peut plus être payée. Pour payer, demandez un nouveau lien à ${merchant}.`,
  },

  linkClosed: {
    over: {
      heading: 'Ce lien de paiement n’accepte plus de paiements',
      text: (merchant) =>
        `Rien n’a été payé ici. Si vous voulez toujours payer, demandez un nouveau lien à ${merchant}.`,
    },
    busy: {
      heading: 'Ce lien de paiement n’a pas pu accepter votre paiement',
      text: (merchant) =>
        `D’autres personnes étaient en train de payer, ou ${merchant} avait suspendu le lien. Rien n’a été payé ici. Ouvrez de nouveau le lien : il indique si vous pouvez payer maintenant.`,
    },
    open: 'Ouvrir de nouveau le lien',
  },

  suspended: {
    heading: 'Cette boutique n’accepte aucun paiement pour le moment',
    text: (merchant) => `Vous ne pouvez pas payer ici en ce moment. Demandez à ${merchant} comment payer.`,
  },
}

export const texts = { en, fr }
