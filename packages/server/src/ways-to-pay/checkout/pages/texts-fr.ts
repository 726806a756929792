import type { Texts } from './texts-en.ts'

export const fr: Texts = {
  testNotice: 'Paiement de test, sans argent réel.',
  test: {
    heading: 'Numéros de test',
    intro: 'Les trois derniers chiffres du numéro ou du compte déterminent le résultat\u00a0:',
    outcomes: {
      fund_insufficient: 'Solde insuffisant',
      declined: 'Refusé par le payeur',
      expired: 'Sans réponse, échec au bout d’une minute',
      slow: 'Payé au bout de 30 secondes',
      unreported: 'Payé, sans notification de l’opérateur',
      provider_account_blocked: 'Compte bloqué',
      provider_account_missing: 'Compte inexistant',
      provider_account_quota_exhausted: 'Limite atteinte',
    },
    others: { numbers: 'Tous les autres', outcome: 'Payé' },
    phones:
      'Ouvrir les téléphones simulés, et en régler un sur «\u00a0Ask me\u00a0» pour valider ou refuser vous-même',
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
  language: 'Langue',

  help: { questions: 'Une question\u00a0?', terms: 'Conditions' },

  messages: {
    notFound: {
      title: 'Cette page de paiement n’existe pas',
      text: 'Le lien est incomplet ou incorrect. Demandez-en un nouveau au commerçant.',
    },
    tooMany: {
      title: 'Trop de tentatives',
      text: 'Patientez un instant, puis réessayez. Si le problème persiste, demandez un nouveau lien au commerçant.',
    },
    failed: {
      title: 'Une erreur s’est produite de notre côté',
      text: 'Rechargez cette page pour vérifier l’état de votre paiement avant de payer à nouveau.',
    },
  },

  titles: {
    choose: 'Paiement\u00a0: choisissez comment payer',
    failure: 'Échec du paiement\u00a0: réessayez',
    fault: 'Paiement\u00a0: vérifiez vos informations',
    askedOften: 'Paiement\u00a0: réessayez plus tard',
    waiting: 'Paiement\u00a0: en attente de votre validation',
    dial: 'Paiement\u00a0: composez un code',
    paid: 'Paiement reçu',
    cancelled: 'Paiement annulé',
    expired: 'Page de paiement expirée',
    linkClosed: 'Paiement impossible',
    suspended: 'Paiements indisponibles',
  },

  qr: {
    heading: 'Payer sur un autre appareil',
    text: 'Scannez ce code avec l’appareil photo de votre téléphone pour y ouvrir cette page.',
    name: 'Code QR vers cette page',
  },

  ways: {
    momo: 'Mobile money',
    bank: 'Compte bancaire',
    wallet: 'Portefeuille',
    card: 'Carte de débit ou de crédit',
  },

  choose: {
    heading: 'Comment payer\u00a0?',
    headings: {
      momo: 'Payer par mobile money',
      bank: 'Payer depuis votre compte bancaire',
      wallet: 'Payer avec votre portefeuille',
      card: 'Payer par carte',
    },
    network: 'Opérateur',
    not: (provider) => `Pas ${provider}\u00a0?`,
    provider: 'Établissement',
    pick: 'Choisir…',
    cardHint: 'Vous saisirez les données de votre carte sur la page sécurisée qui va s’ouvrir.',
    pay: (total) => `Payer ${total}`,
    goOn: {
      card: 'Continuer par carte',
      bank: 'Continuer vers votre banque',
      other: (provider) => `Continuer vers ${provider}`,
    },
    paying: 'Envoi de la demande…',
    safety:
      'Vous validerez le paiement auprès de votre opérateur. Ne saisissez jamais de code PIN ni de mot de passe sur cette page.',
    until: (time) => `Vous pouvez payer jusqu’au ${time}.`,
    cancel: 'Annuler le paiement',
    cancelling: 'Annulation…',
    cancelWarning: 'Vous ne pourrez plus payer sur cette page ensuite.',
    cancelForGood: 'Oui, annuler',
    closed: 'Aucun opérateur ne peut traiter ce paiement pour le moment. Réessayez dans quelques minutes.',
  },

  fields: {
    phone: {
      label: 'Numéro mobile money',
      hint: 'Nous enverrons une demande de paiement à ce téléphone.',
    },
    accountNumber: {
      label: 'Numéro de compte bancaire',
      hint: 'Votre banque vous demandera de valider le paiement.',
    },
    walletId: {
      label: 'Identifiant du portefeuille',
      hint: 'Le numéro ou le nom de votre portefeuille. C’est là que vous validerez le paiement.',
    },
  },

  askedOften: (minutes: number) =>
    `Aucune demande n’a été envoyée, car ce téléphone en a reçu trop. Réessayez dans ${minutes === 1 ? 'une minute' : `${minutes} minutes`}, ou utilisez un autre numéro.`,

  otherNetwork: {
    likely: (network, provider) => `Ce numéro ressemble à un numéro ${network}, pas à un numéro ${provider}.`,
    certain: (network, provider) =>
      `Ce numéro ressemble à un numéro ${network}. ${provider} ne peut pas accepter de paiement depuis ce numéro.`,
    instead: (provider) => `Appuyez sur Payer pour utiliser ${provider}.`,
    anyway: (provider) => `Continuer avec ${provider}`,
  },

  faults: {
    network: 'Choisissez le réseau de votre numéro.',
    provider: {
      missing: 'Choisissez un opérateur.',
      invalid: 'Cet opérateur n’est pas disponible ici. Choisissez-en un autre.',
    },
    phone: (example) => {
      if (example === undefined) return 'Saisissez un numéro mobile money valide.'
      if (example.startsWith('+')) return `Saisissez le numéro avec l’indicatif du pays, comme ${example}.`
      return `Saisissez ${example.replaceAll(/\D/g, '').length} chiffres, comme ${example}.`
    },
    accountNumber: {
      missing: 'Saisissez votre numéro de compte bancaire.',
      invalid: 'Saisissez un numéro de compte valide\u00a0: de 6 à 20 lettres et chiffres.',
    },
    walletId: {
      missing: 'Saisissez l’identifiant de votre portefeuille.',
      invalid: 'Saisissez un identifiant valide\u00a0: de 3 à 64 caractères, sans espaces.',
    },
  },

  failureHeading: 'Le paiement a échoué',
  failures: {
    unknown: 'Votre opérateur n’a pas indiqué de motif. Réessayez, ou payez autrement.',
    fund_insufficient: 'Le solde de ce compte est insuffisant. Rechargez-le, ou payez autrement.',
    authorization_failed: 'Le paiement n’a pas été validé. Réessayez, ou payez autrement.',
    provider_unknown: 'Cet opérateur ne peut pas traiter ce paiement. Choisissez-en un autre.',
    provider_unavailable:
      'Cet opérateur ne répond pas en ce moment. Rien n’a été débité. Choisissez-en un autre, ou réessayez dans quelques minutes.',
    provider_account_blocked: 'Votre compte est bloqué. Contactez votre opérateur, ou payez autrement.',
    provider_account_missing:
      'Ce compte n’existe pas chez cet opérateur. Vérifiez votre saisie et l’opérateur choisi.',
    provider_account_quota_exhausted:
      'Ce compte a atteint une limite fixée par votre opérateur. Réessayez plus tard, ou payez autrement.',
    cancelled: 'Le paiement a été annulé et rien n’a été débité. Vous pouvez réessayer.',
    rejected: 'L’opérateur n’a pas accepté ce paiement. Choisissez-en un autre, ou réessayez plus tard.',
  },
  declinedOnPhone: 'Vous l’avez refusé sur votre téléphone. Rien n’a été débité.',
  causes: {
    payerDeclined: 'Vous l’avez refusé. Rien n’a été débité.',
    noResponse: 'Vous n’avez pas répondu à temps à la demande. Rien n’a été débité.',
    notConfirmed: 'Il n’a pas été confirmé à temps. Rien n’a été débité.',
    wrongPin: 'Le code PIN était incorrect.',
    walletMissing: 'Ce numéro n’a pas de compte mobile money. Vérifiez le numéro.',
  },

  waiting: {
    phone: {
      heading: () => 'Validez sur votre téléphone',
      sent: (provider) => `Nous avons demandé à ${provider} d’envoyer une demande de paiement au`,
      steps: (total) => [
        'Ouvrez la demande sur ce téléphone.',
        `Vérifiez que le montant est bien de ${total}.`,
        'Saisissez-y votre code PIN pour valider.',
      ],
    },
    provider: {
      heading: (provider) => `Validez avec ${provider}`,
      sent: (provider) => `Nous avons demandé à ${provider} un paiement depuis le compte`,
      steps: (total) => [
        'Ouvrez le message de votre opérateur, ou son application.',
        `Vérifiez que le montant est bien de ${total}.`,
        'Validez-y le paiement.',
      ],
    },
    guidance: {
      heading: (provider) => `Message de ${provider}`,
      dial: (code) => `Composer ${code}`,
    },
    code: {
      heading: (provider) => `Saisissez le code de ${provider}`,
      label: 'Code',
      hint: (provider) =>
        `Le code que ${provider} affiche ou vous envoie pour ce paiement. Ce n’est pas votre code PIN.`,
      again:
        'Votre code a été transmis. Si ce champ est encore affiché dans un instant, vérifiez le code et saisissez-le à nouveau.',
      fault: 'Saisissez un code valide\u00a0: de 4 à 12 chiffres.',
      submit: 'Envoyer le code',
      submitting: 'Envoi du code…',
      given: {
        heading: 'En attente de confirmation',
        status: 'En attente de l’opérateur',
        text: (provider) =>
          `Votre code a été transmis à ${provider}. Sauf nouvelle demande sur votre téléphone, vous n’avez plus rien à faire.`,
      },
    },
    elsewhere: {
      go: (provider) => `Continuer vers ${provider}`,
      text: (total) =>
        `Sur la page qui s’ouvre, vérifiez que le montant est bien de ${total} et validez le paiement. Vous reviendrez ensuite ici.`,
      card: 'la page de paiement par carte',
    },
    dial: {
      text: (provider) =>
        `Aucune demande sur votre téléphone\u00a0? Composez ce code pour voir vos paiements à valider chez ${provider}.`,
      action: (code) => `Composer ${code}`,
    },
    left: 'Minutes restantes pour payer\u00a0:',
    prompt: {
      until: (time) => `La demande expire à ${time}`,
      left: 'Temps restant pour valider\u00a0:',
      over: (provider, hasAnother) =>
        `La demande sur votre téléphone a probablement expiré. Si vous l’avez validée, ne payez pas à nouveau\u00a0: cette page affichera le résultat. Sinon, ${provider} nous le confirmera bientôt et vous pourrez réessayer.${hasAnother ? ' Vous pouvez aussi utiliser un autre numéro dès maintenant.' : ''}`,
    },
    another: {
      text: 'La demande envoyée ne peut plus être retirée\u00a0: ne la validez pas si vous payez autrement. Si les deux aboutissent, le dernier payé vous est restitué.',
      number: 'Utiliser un autre numéro',
      way: 'Payer autrement',
    },
    other: {
      heading: 'Mauvais numéro, ou vous avez changé d’avis\u00a0?',
      prompt: () =>
        'Une demande envoyée ne peut plus être retirée. Refusez-la sur ce téléphone, ou laissez-la expirer.',
      elsewhere: (provider) => `Revenez à ${provider} et annulez-y.`,
      afterwards: 'Vous pourrez ensuite changer le numéro, payer autrement ou annuler sur cette page.',
    },
    soon: {
      heading: 'Un instant',
      text: (provider) => `Nous vous connectons à ${provider}.`,
    },
    status: 'En attente de votre validation',
    slow: 'Cela prend plus de temps que d’habitude. Si vous avez déjà validé le paiement, ne payez pas à nouveau\u00a0: cette page affichera le résultat.',
    stopped:
      'Nous avons arrêté de vérifier. Si vous avez validé le paiement, ne payez pas à nouveau. Vérifiez maintenant pour voir le résultat.',
    check: 'Vérifier maintenant',
  },

  dial: {
    offer: 'Payer en composant un code',
    heading: 'Composez ce code pour payer',
    call: 'Composer sur ce téléphone',
    copy: 'Copier le code',
    copied: 'Code copié',
    steps: (total) => [
      'Composez le code sur le téléphone de votre compte mobile money. Aucune connexion internet n’est nécessaire.',
      `Vérifiez que le montant est bien de ${total}, puis confirmez.`,
      'Saisissez votre code PIN quand votre opérateur vous le demande.',
    ],
    status: 'En attente de votre paiement',
    back: 'Retour',
  },

  another: {
    open: (account) =>
      `La demande envoyée au ${account} est toujours ouverte. Ne la validez pas. Si les deux paiements aboutissent, le dernier payé vous est restitué.`,
    openAfterwards: (account) =>
      `La demande envoyée au ${account} est toujours ouverte. Ne la validez pas. Si vous la validez, cet argent vous est restitué.`,
    alreadyAsked:
      'La demande envoyée à ce compte est toujours ouverte. Utilisez-en un autre, ou revenez en arrière et patientez.',
    back: 'Revenir à la demande en cours',
  },

  moneyBack: {
    refunded: (amount, account, date) => `${amount} ont été remboursés vers ${account} le ${date}.`,
    twice: {
      pending: (amount, account) =>
        `Vous avez payé deux fois. ${amount} sont en cours de restitution vers ${account}.`,
      done: (amount, account, date) =>
        `Vous avez payé deux fois. ${amount} ont été restitués à ${account} le ${date}.`,
      failed: (amount, account, merchant) =>
        `Vous avez payé deux fois. ${amount} n’ont pas pu être restitués à ${account}. Contactez ${merchant}.`,
    },
    sameAccount: 'votre compte de paiement',
  },

  paid: {
    heading: 'Paiement reçu',
    keep: 'Conservez le numéro de commande. Il permet au commerçant de retrouver votre paiement.',
    receipt: 'Voir le reçu',
    share: 'Partager le reçu',
    copyLink: 'Copier le lien du reçu',
    copied: 'Lien copié',
  },

  verification: {
    heading: 'Vérifier un reçu ou un relevé',
    text: 'Saisissez le code imprimé sur le document. Nous affichons nos chiffres pour que vous puissiez les comparer.',
    label: 'Code',
    check: 'Vérifier',
    unknown:
      'Nous n’avons émis aucun document portant ce code. Vérifiez le code et réessayez. Le code n’est pas le numéro de commande.',
    genuine: { receipt: 'Ce reçu est authentique', statement: 'Ce relevé est authentique' },
    compare: 'Comparez ces chiffres avec le document.',
    facts: {
      merchant: 'Commerçant',
      amount: 'Montant payé',
      refunded: 'Remboursé depuis',
      paidAt: 'Payé le',
      order: 'Commande',
      orderNumber: 'Numéro de commande',
      account: 'Numéro de compte',
      from: 'Du',
      to: 'Au (exclu)',
      opening: 'Solde initial',
      closing: 'Solde final',
    },
  },

  cancelled: {
    heading: 'Paiement annulé',
    text: (merchant) =>
      `Vous ne pouvez plus payer sur cette page. Si vous souhaitez toujours payer, demandez un nouveau lien à ${merchant}.`,
  },

  expired: {
    heading: 'Cette page de paiement a expiré',
    text: (merchant) => `Pour payer, demandez un nouveau lien à ${merchant}.`,
  },

  linkClosed: {
    over: {
      heading: 'Ce lien de paiement n’accepte plus de paiements',
      text: (merchant) =>
        `Rien n’a été débité. Si vous souhaitez toujours payer, demandez un nouveau lien à ${merchant}.`,
    },
    busy: {
      heading: 'Ce lien de paiement n’a pas pu accepter votre paiement',
      text: (merchant) =>
        `D’autres personnes étaient en train de payer, ou ${merchant} avait suspendu le lien. Rien n’a été débité. Rouvrez le lien pour voir si vous pouvez payer maintenant.`,
    },
    open: 'Rouvrir le lien',
  },

  suspended: {
    heading: 'Ce commerçant ne peut pas accepter de paiements pour le moment',
    text: (merchant) => `Demandez à ${merchant} comment payer.`,
  },
}
