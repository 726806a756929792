import type { Texts } from './texts-en.ts'

export const fr: Texts = {
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
    fault: 'Paiement\u00a0: vérifiez vos informations',
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

  faultHeading: 'Veuillez corriger ce qui suit',
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
