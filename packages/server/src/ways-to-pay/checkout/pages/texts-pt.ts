import type { Texts } from './texts-en.ts'

export const pt: Texts = {
  testNotice: 'Pagamento de teste, sem dinheiro real.',
  test: {
    heading: 'Números de teste',
    intro: 'Os três últimos algarismos do número ou da conta determinam o resultado:',
    outcomes: {
      fund_insufficient: 'Saldo insuficiente',
      declined: 'Recusado pelo pagador',
      expired: 'Sem resposta; falha após um minuto',
      slow: 'Pago após 30 segundos',
      unreported: 'Pago, sem notificação do operador',
      provider_account_blocked: 'Conta bloqueada',
      provider_account_missing: 'Conta inexistente',
      provider_account_quota_exhausted: 'Limite atingido',
    },
    others: { numbers: 'Todos os outros', outcome: 'Pago' },
    phones: 'Abrir os telefones simulados e pôr um em “Ask me” para aprovar ou recusar',
  },
  securedBy: 'Protegido por Pesewa',
  about: 'Uma página de pagamento segura.',
  orderDetails: (count) =>
    count === 1 ? 'Detalhes da encomenda: 1 artigo' : `Detalhes da encomenda: ${count} artigos`,
  quantity: (quantity, price) => `${quantity} × ${price}`,
  orderName: 'Encomenda',
  orderNumber: 'Número da encomenda',
  total: 'Total a pagar',
  returnTo: (merchant) => `Voltar a ${merchant}`,
  language: 'Língua',

  help: { questions: 'Dúvidas?', terms: 'Condições' },

  messages: {
    notFound: {
      title: 'Esta página de pagamento não existe',
      text: 'O link está incompleto ou incorreto. Peça um novo ao comerciante.',
    },
    tooMany: {
      title: 'Demasiadas tentativas',
      text: 'Aguarde um momento e tente novamente. Se o problema continuar, peça um novo link ao comerciante.',
    },
    failed: {
      title: 'Ocorreu um erro do nosso lado',
      text: 'Recarregue esta página para ver o estado do pagamento antes de pagar novamente.',
    },
  },

  titles: {
    choose: 'Pagamento: escolha como pagar',
    failure: 'O pagamento falhou: tente novamente',
    fault: 'Pagamento: verifique os seus dados',
    askedOften: 'Pagamento: tente mais tarde',
    waiting: 'Pagamento: a aguardar a sua aprovação',
    dial: 'Pagamento: marque um código',
    paid: 'Pagamento recebido',
    cancelled: 'Pagamento cancelado',
    expired: 'A página de pagamento expirou',
    linkClosed: 'Pagamento não possível',
    suspended: 'Pagamentos indisponíveis',
  },

  qr: {
    heading: 'Pagar noutro aparelho',
    text: 'Leia este código com a câmara do telefone para abrir esta página nele.',
    name: 'Código QR com o link desta página',
  },

  ways: {
    momo: 'Dinheiro móvel',
    bank: 'Conta bancária',
    wallet: 'Carteira',
    card: 'Cartão de débito ou crédito',
  },

  choose: {
    heading: 'Escolha como pagar',
    headings: {
      momo: 'Pagar com dinheiro móvel',
      bank: 'Pagar com a sua conta bancária',
      wallet: 'Pagar com a sua carteira',
      card: 'Pagar com cartão',
    },
    network: 'Operador',
    not: (provider) => `Não é ${provider}?`,
    provider: 'Instituição',
    pick: 'Escolher…',
    cardHint: 'Vai introduzir os dados do cartão na página segura que se abre a seguir.',
    pay: (total) => `Pagar ${total}`,
    goOn: {
      card: 'Continuar com cartão',
      bank: 'Continuar para o seu banco',
      other: (provider) => `Continuar para ${provider}`,
    },
    paying: 'A enviar o pedido…',
    safety:
      'Vai aprovar o pagamento junto do seu operador. Nunca introduza um PIN ou uma palavra-passe nesta página.',
    until: (time) => `Pode pagar até ${time}.`,
    cancel: 'Cancelar o pagamento',
    cancelling: 'A cancelar…',
    cancelWarning: 'Depois disso, já não poderá pagar nesta página.',
    cancelForGood: 'Sim, cancelar',
    closed:
      'Neste momento, nenhum operador pode aceitar este pagamento. Tente novamente dentro de alguns minutos.',
  },

  fields: {
    phone: {
      label: 'Número de dinheiro móvel',
      hint: 'Vamos enviar um pedido de pagamento para este telefone.',
    },
    accountNumber: {
      label: 'Número da conta bancária',
      hint: 'O seu banco vai pedir-lhe que aprove o pagamento.',
    },
    walletId: {
      label: 'Identificação da carteira',
      hint: 'O número ou o nome da sua carteira. Vai aprovar o pagamento na carteira.',
    },
  },

  askedOften: (minutes) =>
    `Não foi enviado nenhum pedido, porque este telefone já recebeu demasiados. Tente novamente daqui a ${minutes === 1 ? 'um minuto' : `${minutes} minutos`} ou use outro número.`,

  otherNetwork: {
    likely: (network, provider) => `Este parece ser um número ${network}, não um número ${provider}.`,
    certain: (network, provider) =>
      `Este parece ser um número ${network}. ${provider} não pode aceitar pagamentos deste número.`,
    instead: (provider) => `Prima Pagar para usar ${provider}.`,
    anyway: (provider) => `Continuar com ${provider}`,
  },

  faults: {
    network: 'Escolha a rede do seu número.',
    provider: {
      missing: 'Escolha um operador.',
      invalid: 'Este operador não está disponível aqui. Escolha outro.',
    },
    phone: (example) => {
      if (example === undefined) return 'Introduza um número de dinheiro móvel válido.'
      if (example.startsWith('+')) return `Introduza o número com o indicativo do país, como ${example}.`
      return `Introduza ${example.replaceAll(/\D/g, '').length} algarismos, como ${example}.`
    },
    accountNumber: {
      missing: 'Introduza o número da sua conta bancária.',
      invalid: 'Introduza um número de conta válido: 6 a 20 letras e algarismos.',
    },
    walletId: {
      missing: 'Introduza a identificação da sua carteira.',
      invalid: 'Introduza uma identificação válida: 3 a 64 caracteres, sem espaços.',
    },
  },

  failureHeading: 'O pagamento falhou',
  failures: {
    unknown: 'O seu operador não indicou o motivo. Tente novamente ou pague de outra forma.',
    fund_insufficient: 'Não há dinheiro suficiente nesta conta. Carregue-a ou pague de outra forma.',
    authorization_failed: 'O pagamento não foi aprovado. Tente novamente ou pague de outra forma.',
    provider_unknown: 'Este operador não pode aceitar este pagamento. Escolha outro.',
    provider_unavailable:
      'Este operador não está a responder. Não lhe foi cobrado nada. Escolha outro ou tente novamente dentro de alguns minutos.',
    provider_account_blocked: 'A sua conta está bloqueada. Contacte o seu operador ou pague de outra forma.',
    provider_account_missing:
      'Este operador não reconhece esta conta. Verifique a conta e o operador que escolheu.',
    provider_account_quota_exhausted:
      'Esta conta atingiu um limite definido pelo seu operador. Tente mais tarde ou pague de outra forma.',
    cancelled: 'O pagamento foi cancelado e não lhe foi cobrado nada. Pode tentar novamente.',
    rejected: 'O operador não aceitou este pagamento. Escolha outro ou tente mais tarde.',
  },
  declinedOnPhone: 'Recusou-o no seu telefone. Nada foi cobrado.',
  causes: {
    payerDeclined: 'Recusou-o. Nada foi cobrado.',
    noResponse: 'Não respondeu ao pedido a tempo. Nada foi cobrado.',
    notConfirmed: 'Não foi confirmado a tempo. Nada foi cobrado.',
    wrongPin: 'O PIN estava errado.',
    walletMissing: 'Este número não tem conta de dinheiro móvel. Verifique o número.',
  },

  waiting: {
    phone: {
      heading: () => 'Aprove no seu telefone',
      sent: (provider) => `Pedimos a ${provider} que envie um pedido de pagamento para`,
      steps: (total) => [
        'Abra o pedido nesse telefone.',
        `Confirme que o valor é ${total}.`,
        'Introduza lá o seu PIN para aprovar.',
      ],
    },
    provider: {
      heading: (provider) => `Aprove com ${provider}`,
      sent: (provider) => `Pedimos a ${provider} que solicite um pagamento a`,
      steps: (total) => [
        'Abra a mensagem do seu operador ou a respetiva aplicação.',
        `Confirme que o valor é ${total}.`,
        'Aprove lá o pagamento.',
      ],
    },
    guidance: {
      heading: (provider) => `Mensagem de ${provider}`,
      dial: (code) => `Marcar ${code}`,
    },
    code: {
      heading: (provider) => `Introduza o código de ${provider}`,
      label: 'Código',
      hint: (provider) =>
        `O código que ${provider} lhe mostra ou envia para este pagamento. Não é o seu PIN.`,
      again:
        'O seu código foi enviado. Se este campo continuar visível daqui a pouco, verifique o código e introduza-o novamente.',
      fault: 'Introduza um código válido: 4 a 12 algarismos.',
      submit: 'Enviar o código',
      submitting: 'A enviar o código…',
      given: {
        heading: 'A aguardar a confirmação',
        status: 'A aguardar o operador',
        text: (provider) =>
          `Enviámos o seu código a ${provider}. A menos que o seu telefone peça mais alguma coisa, está tudo feito.`,
      },
    },
    elsewhere: {
      go: (provider) => `Continuar para ${provider}`,
      text: (total) =>
        `Na página que se abre, confirme que o valor é ${total} e aprove o pagamento. Depois volta aqui.`,
      card: 'a página de pagamento com cartão',
    },
    dial: {
      text: (provider) =>
        `Não apareceu nenhum pedido no telefone? Marque este código para ver as suas aprovações pendentes com ${provider}.`,
      action: (code) => `Marcar ${code}`,
    },
    left: 'Minutos restantes para pagar:',
    other: {
      heading: 'Número errado ou mudou de ideias?',
      prompt: () => 'Um pedido já enviado não pode ser retirado. Recuse-o nesse telefone ou deixe-o expirar.',
      elsewhere: (provider) => `Volte a ${provider} e cancele lá.`,
      afterwards: 'Depois pode mudar o número, pagar de outra forma ou cancelar nesta página.',
    },
    prompt: {
      until: (time) => `O pedido expira às ${time}`,
      left: 'Tempo restante para aprovar:',
      over: (provider, hasAnother) =>
        `O pedido no seu telefone provavelmente expirou. Se o aprovou, não pague novamente: esta página vai mostrar o resultado. Se não o aprovou, ${provider} vai informar-nos em breve e depois pode tentar novamente${hasAnother ? ', ou usar já outro número' : ''}.`,
    },
    another: {
      text: 'O pedido enviado não pode ser retirado, por isso não o aprove se pagar de outra forma. Se pagar duas vezes, o último pagamento é-lhe devolvido.',
      number: 'Usar outro número',
      way: 'Pagar de outra forma',
    },
    soon: {
      heading: 'Um momento',
      text: (provider) => `Estamos a ligá-lo a ${provider}.`,
    },
    status: 'A aguardar a sua aprovação',
    slow: 'Está a demorar mais do que o habitual. Se já aprovou o pagamento, não pague novamente. Esta página vai mostrar o resultado.',
    stopped:
      'Deixámos de verificar. Se já aprovou o pagamento, não pague novamente. Verifique agora para ver o resultado.',
    check: 'Verificar agora',
  },

  dial: {
    offer: 'Pagar marcando um código',
    heading: 'Marque este código para pagar',
    call: 'Marcar neste telefone',
    copy: 'Copiar código',
    copied: 'Código copiado',
    steps: (total) => [
      'Marque o código no telefone da sua conta de dinheiro móvel. Funciona sem internet.',
      `Confirme que o valor é ${total} e aceite.`,
      'Introduza o seu PIN quando o seu operador o pedir.',
    ],
    status: 'A aguardar o seu pagamento',
    back: 'Voltar',
  },

  another: {
    open: (account) =>
      `O pedido a ${account} ainda está aberto. Por favor, não o aprove. Se ambos os pagamentos forem feitos, o último é-lhe devolvido.`,
    openAfterwards: (account) =>
      `O pedido a ${account} ainda está aberto. Por favor, não o aprove. Se o fizer, esse dinheiro é-lhe devolvido.`,
    alreadyAsked: 'O pedido a esta conta ainda está aberto. Use outra, ou volte e aguarde.',
    back: 'Voltar ao pedido aberto',
  },

  moneyBack: {
    refunded: (amount, account, date) => `${amount} reembolsados a ${account} em ${date}.`,
    twice: {
      pending: (amount, account) => `Pagou duas vezes. ${amount} estão a ser devolvidos a ${account}.`,
      done: (amount, account, date) =>
        `Pagou duas vezes. ${amount} foram devolvidos a ${account} em ${date}.`,
      failed: (amount, account, merchant) =>
        `Pagou duas vezes. Não foi possível devolver ${amount} a ${account}. Contacte ${merchant}.`,
    },
    sameAccount: 'a conta com que pagou',
  },

  paid: {
    heading: 'Pagamento recebido',
    keep: 'Guarde o número da encomenda. O comerciante pode usá-lo para encontrar o seu pagamento.',
    receipt: 'Ver o recibo',
    share: 'Partilhar o recibo',
    copyLink: 'Copiar o link do recibo',
    copied: 'Link copiado',
  },

  verification: {
    heading: 'Verificar um recibo ou extrato',
    text: 'Introduza o código impresso no documento. Mostramos os nossos valores para que os possa comparar.',
    label: 'Código',
    check: 'Verificar',
    unknown:
      'Não emitimos nenhum documento com este código. Verifique o código e tente novamente. O número da encomenda é outro número.',
    genuine: { receipt: 'Este recibo é autêntico', statement: 'Este extrato é autêntico' },
    compare: 'Compare estes valores com o documento.',
    facts: {
      merchant: 'Comerciante',
      amount: 'Valor pago',
      refunded: 'Reembolsado entretanto',
      paidAt: 'Pago em',
      order: 'Encomenda',
      orderNumber: 'Número da encomenda',
      account: 'Número da conta',
      from: 'De',
      to: 'Até (exclusive)',
      opening: 'Saldo inicial',
      closing: 'Saldo final',
    },
  },

  cancelled: {
    heading: 'Pagamento cancelado',
    text: (merchant) =>
      `Já não pode pagar nesta página. Se ainda quiser pagar, peça um novo link a ${merchant}.`,
  },

  expired: {
    heading: 'Esta página de pagamento expirou',
    text: (merchant) => `Para pagar, peça um novo link a ${merchant}.`,
  },

  linkClosed: {
    over: {
      heading: 'Este link de pagamento já não aceita pagamentos',
      text: (merchant) => `Não lhe foi cobrado nada. Se ainda quiser pagar, peça um novo link a ${merchant}.`,
    },
    busy: {
      heading: 'Este link não pôde aceitar o seu pagamento',
      text: (merchant) =>
        `Outras pessoas estavam a pagar, ou ${merchant} suspendeu o link. Não lhe foi cobrado nada. Abra o link novamente para ver se já pode pagar.`,
    },
    open: 'Abrir o link novamente',
  },

  suspended: {
    heading: 'Este comerciante não pode aceitar pagamentos neste momento',
    text: (merchant) => `Pergunte a ${merchant} como pagar.`,
  },
}
