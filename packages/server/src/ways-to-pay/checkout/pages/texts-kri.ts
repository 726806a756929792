import type { Texts } from './texts-en.ts'

export const kri: Texts = {
  testNotice: 'Na tɛst pemɛnt. Nɔto rial mɔni.',
  test: {
    heading: 'Tɛst nɔmba dɛn',
    intro: 'Di las tri figa dɛn na di nɔmba ɔ akawnt de sho wetin go apin:',
    outcomes: {
      fund_insufficient: 'Mɔni nɔ du',
      declined: 'Di pɔsin nɔ gri fɔ pe',
      expired: 'Nɔbɔdi nɔ ansa; i de fel afta wan minit',
      slow: 'I de pe afta 30 sɛkɔn',
      unreported: 'I de pe, bɔt di kɔmpin nɔ tɛl wi',
      provider_account_blocked: 'Dɛn blɔk di akawnt',
      provider_account_missing: 'Di akawnt nɔ de',
      provider_account_quota_exhausted: 'Di akawnt dɔn rich in limit',
    },
    others: { numbers: 'Ɛni ɔda wan', outcome: 'I de pe' },
    phones: 'Opin di tɛst fon dɛn, ɛn sɛt wan to “Ask me” fɔ gri ɔ nɔ gri yusɛf',
  },
  securedBy: 'Pesewa de protɛkt am',
  about: 'Sef pej fɔ pe.',
  orderDetails: (count) => `Ɔda ditel: ${count === 1 ? '1 tin' : `${count} tin`}`,
  quantity: (quantity, price) => `${quantity} × ${price}`,
  orderName: 'Ɔda',
  orderNumber: 'Ɔda nɔmba',
  total: 'Ɔl togɛda',
  returnTo: (merchant) => `Go bak to ${merchant}`,
  language: 'Langwej',

  help: { questions: 'Yu gɛt kwɛstyɔn?', terms: 'Di rul dɛn' },

  messages: {
    notFound: {
      title: 'Dis pej fɔ pe nɔ de',
      text: 'Di link nɔ kɔmplit ɔ i nɔ kɔrɛkt. Aks di sɛla fɔ gi yu nyu wan.',
    },
    tooMany: {
      title: 'Yu dɔn tray bɔku tɛm',
      text: 'Duya wet smɔl, dɛn tray bak. If i stil de du so, aks di sɛla fɔ gi yu nyu link.',
    },
    failed: {
      title: 'Sɔntin go rɔng na wi say',
      text: 'Opin dis pej bak fɔ si aw di pemɛnt de bifo yu pe bak.',
    },
  },

  titles: {
    choose: 'Pemɛnt: chuz aw yu wan pe',
    failure: 'Di pemɛnt fel: tray bak',
    fault: 'Pemɛnt: chɛk wetin yu rayt',
    askedOften: 'Pemɛnt: tray bak leta',
    waiting: 'Pemɛnt: wi de wet fɔ mek yu gri',
    dial: 'Pemɛnt: dayal fɔ pe',
    paid: 'Di pemɛnt dɔn rich',
    cancelled: 'Dɛn dɔn kansɛl di pemɛnt',
    expired: 'Di tɛm fɔ dis pej dɔn pas',
    linkClosed: 'Yu nɔ ebul fɔ pe',
    suspended: 'Pemɛnt nɔ de naw',
  },

  qr: {
    heading: 'Pe wit ɔda fon',
    text: 'Skan dis kod wit yu fon in kamɛra fɔ opin dis pej na yu fon.',
    name: 'QR kod wit link to dis pej',
  },

  ways: { momo: 'Mobayl mɔni', bank: 'Bank akawnt', wallet: 'Walɛt', card: 'Bank kad' },

  choose: {
    heading: 'Chuz aw yu wan pe',
    headings: {
      momo: 'Pe wit mobayl mɔni',
      bank: 'Pe frɔm yu bank akawnt',
      wallet: 'Pe wit yu walɛt',
      card: 'Pe wit kad',
    },
    network: 'Nɛtwɔk',
    not: (provider) => `Nɔto ${provider}?`,
    provider: 'Kɔmpin',
    pick: 'Chuz…',
    cardHint: 'Yu go put yu kad ditel dɛn na di sef pej we go opin.',
    pay: (total) => `Pe ${total}`,
    goOn: {
      card: 'Kɔntinyu wit kad',
      bank: 'Kɔntinyu to yu bank',
      other: (provider) => `Kɔntinyu to ${provider}`,
    },
    paying: 'Wi de sɛn di rikwɛst…',
    safety: 'Yu go gri fɔ pe na yu yon kɔmpin. Nɔ ɛva put PIN ɔ paswɔd na dis pej.',
    until: (time) => `Yu ebul fɔ pe te ${time}.`,
    cancel: 'Kansɛl di pemɛnt',
    cancelling: 'Wi de kansɛl am…',
    cancelWarning: 'Afta dat, yu nɔ go ebul fɔ pe na dis pej igen.',
    cancelForGood: 'Yɛs, kansɛl am',
    closed: 'No kɔmpin nɔ ebul fɔ tek dis pemɛnt naw. Duya tray bak afta sɔm minit.',
  },

  fields: {
    phone: { label: 'Mobayl mɔni nɔmba', hint: 'Wi go sɛn di rikwɛst fɔ pe to dis fon.' },
    accountNumber: { label: 'Bank akawnt nɔmba', hint: 'Yu bank go aks yu fɔ gri fɔ pe.' },
    walletId: {
      label: 'Walɛt ID',
      hint: 'Di nɔmba ɔ nem fɔ yu walɛt. Yu go gri fɔ pe na di walɛt.',
    },
  },

  askedOften: (minutes) =>
    `Wi nɔ sɛn no rikwɛst, bikɔs dis fon dɔn gɛt pasmak. Tray bak afta ${minutes === 1 ? 'wan minit' : `${minutes} minit`}, ɔ yuz ɔda nɔmba.`,

  otherNetwork: {
    likely: (network, provider) => `Dis nɔmba fiba ${network} nɔmba, nɔto ${provider} nɔmba.`,
    certain: (network, provider) =>
      `Dis nɔmba fiba ${network} nɔmba. ${provider} nɔ ebul fɔ tek pemɛnt frɔm am.`,
    instead: (provider) => `Prɛs Pe fɔ yuz ${provider}.`,
    anyway: (provider) => `Kɔntinyu wit ${provider}`,
  },

  faults: {
    network: 'Chuz di nɛtwɔk we yu nɔmba de pan.',
    provider: {
      missing: 'Chuz wan kɔmpin.',
      invalid: 'Dis kɔmpin nɔ de na ya. Chuz ɔda wan.',
    },
    phone: (example) => {
      if (example === undefined) return 'Put kɔrɛkt mobayl mɔni nɔmba.'
      if (example.startsWith('+')) return `Put di nɔmba wit di kɔntri kod, lɛk ${example}.`
      return `Put ${example.replaceAll(/\D/g, '').length} figa, lɛk ${example}.`
    },
    accountNumber: {
      missing: 'Put yu bank akawnt nɔmba.',
      invalid: 'Put kɔrɛkt akawnt nɔmba: 6 to 20 lɛta ɛn figa.',
    },
    walletId: {
      missing: 'Put yu walɛt ID.',
      invalid: 'Put kɔrɛkt walɛt ID: 3 to 64 lɛta, nɔ lɛf spes.',
    },
  },

  failureHeading: 'Di pemɛnt fel',
  failures: {
    unknown: 'Yu kɔmpin nɔ tɛl wi wetin mek. Tray bak, ɔ pe ɔda we.',
    fund_insufficient: 'Mɔni nɔ du na dis akawnt. Put mɔni insay, ɔ pe ɔda we.',
    authorization_failed: 'Dɛn nɔ gri fɔ di pemɛnt. Tray bak, ɔ pe ɔda we.',
    provider_unknown: 'Dis kɔmpin nɔ ebul fɔ tek dis pemɛnt. Chuz ɔda wan.',
    provider_unavailable:
      'Dis kɔmpin nɔ de ansa naw. Yu mɔni nɔ kɔmɔt. Chuz ɔda wan, ɔ tray bak afta sɔm minit.',
    provider_account_blocked: 'Dɛn blɔk yu akawnt. Kɔntakt yu kɔmpin, ɔ pe ɔda we.',
    provider_account_missing: 'Dis kɔmpin nɔ no dis akawnt. Chɛk di akawnt ɛn di kɔmpin we yu chuz.',
    provider_account_quota_exhausted:
      'Dis akawnt dɔn rich di limit we yu kɔmpin put. Tray bak leta, ɔ pe ɔda we.',
    cancelled: 'Dɛn kansɛl di pemɛnt ɛn yu mɔni nɔ kɔmɔt. Yu ebul fɔ tray bak.',
    rejected: 'Di kɔmpin nɔ tek dis pemɛnt. Chuz ɔda kɔmpin, ɔ tray bak leta.',
  },
  declinedOnPhone: 'Yu nɔ gri fɔ pe na yu fon. Dɛn nɔ tek no mɔni.',
  causes: {
    payerDeclined: 'Yu nɔ gri fɔ pe. Dɛn nɔ tek no mɔni.',
    noResponse: 'Yu nɔ ansa di rikwɛst kwik. Dɛn nɔ tek no mɔni.',
    notConfirmed: 'Dɛn nɔ kɔnfam am kwik. Dɛn nɔ tek no mɔni.',
    wrongPin: 'Di PIN nɔ kɔrɛkt.',
    walletMissing: 'Dis nɔmba nɔ gɛt mobayl mɔni akawnt. Chɛk di nɔmba.',
  },

  waiting: {
    phone: {
      heading: () => 'Gri fɔ pe na yu fon',
      sent: (provider) => `Wi dɔn aks ${provider} fɔ sɛn rikwɛst fɔ pe to`,
      steps: (total) => [
        'Opin di rikwɛst na da fon de.',
        `Chɛk se di mɔni na ${total}.`,
        'Put yu PIN na de fɔ gri.',
      ],
    },
    provider: {
      heading: (provider) => `Gri fɔ pe wit ${provider}`,
      sent: (provider) => `Wi dɔn aks ${provider} fɔ tek di pemɛnt frɔm`,
      steps: (total) => [
        'Opin di mɛsej frɔm yu kɔmpin, ɔ opin in ap.',
        `Chɛk se di mɔni na ${total}.`,
        'Gri fɔ pe na de.',
      ],
    },
    guidance: {
      heading: (provider) => `Mɛsej frɔm ${provider}`,
      dial: (code) => `Dayal ${code}`,
    },
    code: {
      heading: (provider) => `Put di kod frɔm ${provider}`,
      label: 'Kod',
      hint: (provider) => `Di kod we ${provider} sho yu ɔ sɛn to yu fɔ dis pemɛnt. Nɔto yu PIN.`,
      again: 'Wi dɔn sɛn yu kod. If yu stil de si dis say afta smɔl tɛm, chɛk di kod ɛn put am bak.',
      fault: 'Put kɔrɛkt kod: 4 to 12 figa.',
      submit: 'Sɛn di kod',
      submitting: 'Wi de sɛn di kod…',
      given: {
        heading: 'Wi de wet fɔ kɔnfam am',
        status: 'Wi de wet fɔ di kɔmpin',
        text: (provider) => `Wi dɔn sɛn yu kod to ${provider}. If yu fon nɔ aks fɔ ɔda tin, yu dɔn dɔn.`,
      },
    },
    elsewhere: {
      go: (provider) => `Kɔntinyu to ${provider}`,
      text: (total) =>
        `Na di pej we go opin, chɛk se di mɔni na ${total} ɛn gri fɔ pe. Afta dat yu go kam bak ya.`,
      card: 'di pej fɔ pe wit kad',
    },
    dial: {
      text: (provider) =>
        `Yu nɔ si rikwɛst na yu fon? Dayal dis kod fɔ si wetin de wet fɔ yu na ${provider}.`,
      action: (code) => `Dayal ${code}`,
    },
    left: 'Minit dɛn we lɛf fɔ pe:',
    other: {
      heading: 'Na di rɔng nɔmba, ɔ yu dɔn chenj yu maynd?',
      prompt: () =>
        'Wi nɔ ebul fɔ kɔl bak rikwɛst we wi dɔn sɛn. Nɔ gri na da fon de, ɔ lɛf am mek in tɛm pas.',
      elsewhere: (provider) => `Go bak to ${provider} ɛn kansɛl am de.`,
      afterwards: 'Afta dat yu ebul fɔ chenj di nɔmba, pe ɔda we ɔ kansɛl na dis pej.',
    },
    prompt: {
      until: (time) => `Di rikwɛst tɛm go pas ${time}`,
      left: 'Tɛm we lɛf fɔ gri:',
      over: (provider, hasAnother) =>
        `Di rikwɛst na yu fon in tɛm fɔ dɔn pas. If yu dɔn gri, nɔ pe bak: dis pej go sho aw i go. If yu nɔ gri, ${provider} go tɛl wi jisnɔ ɛn yu ebul fɔ tray bak${hasAnother ? ', ɔ yuz ɔda nɔmba naw' : ''}.`,
    },
    another: {
      text: 'Wi nɔ ebul fɔ kɔl bak rikwɛst we wi dɔn sɛn, so nɔ gri pan am if yu pe ɔda we. If yu pe tu tɛm, wi go gi yu di wan we yu pe las bak.',
      number: 'Yuz ɔda nɔmba',
      way: 'Pe ɔda we',
    },
    soon: {
      heading: 'Wet smɔl',
      text: (provider) => `Wi de kɔnɛkt yu to ${provider}.`,
    },
    status: 'Wi de wet fɔ mek yu gri',
    slow: 'I de tek tɛm pas aw i kin du. If yu dɔn gri fɔ pe, nɔ pe bak. Dis pej go sho aw i go.',
    stopped: 'Wi dɔn stɔp fɔ chɛk. If yu dɔn gri fɔ pe, nɔ pe bak. Chɛk naw fɔ si aw i go.',
    check: 'Chɛk naw',
  },

  dial: {
    offer: 'Dayal kod fɔ pe',
    heading: 'Dayal dis kod fɔ pe',
    call: 'Dayal na dis fon',
    copy: 'Kɔpi di kod',
    copied: 'Dɔn kɔpi di kod',
    steps: (total) => [
      'Dayal di kod na di fon we gɛt yu mobayl mɔni. I de wok we intanɛt nɔ de.',
      `Chɛk se di mɔni na ${total}, ɛn gri.`,
      'Put yu PIN we yu kɔmpin aks yu fɔ am.',
    ],
    status: 'Wi de wet fɔ yu pemɛnt',
    back: 'Go bak',
  },

  another: {
    open: (account) =>
      `Di rikwɛst to ${account} stil opin. Duya nɔ gri pan am. If ɔl tu pemɛnt go tru, wi go gi yu di wan we yu pe las bak.`,
    openAfterwards: (account) =>
      `Di rikwɛst to ${account} stil opin. Duya nɔ gri pan am. If yu gri, wi go gi yu da mɔni de bak.`,
    alreadyAsked: 'Di rikwɛst to dis akawnt stil opin. Yuz ɔda wan, ɔ go bak ɛn wet.',
    back: 'Go bak to di rikwɛst we opin',
  },

  moneyBack: {
    refunded: (amount, account, date) => `Dɛn gi ${amount} bak to ${account} ${date}.`,
    twice: {
      pending: (amount, account) => `Yu pe tu tɛm. Wi de gi ${amount} bak to ${account}.`,
      done: (amount, account, date) => `Yu pe tu tɛm. Wi gi ${amount} bak to ${account} ${date}.`,
      failed: (amount, account, merchant) =>
        `Yu pe tu tɛm. Wi nɔ ebul fɔ gi ${amount} bak to ${account}. Duya kɔntakt ${merchant}.`,
    },
    sameAccount: 'di akawnt we yu pe wit',
  },

  paid: {
    heading: 'Di pemɛnt dɔn rich',
    keep: 'Kip di ɔda nɔmba. Di sɛla ebul fɔ yuz am fɔ fɛn yu pemɛnt.',
    receipt: 'Si di risit',
    share: 'Sheb di risit',
    copyLink: 'Kɔpi di link fɔ di risit',
    copied: 'Dɔn kɔpi di link',
  },

  verification: {
    heading: 'Chɛk risit ɔ stetmɛnt',
    text: 'Put di kod we de na di pepa. Wi go sho di figa dɛn we wi gɛt, so dat yu go kɔmpia dɛn.',
    label: 'Kod',
    check: 'Chɛk',
    unknown: 'Wi nɔ gi no pepa wit dis kod. Chɛk di kod ɛn tray bak. Di ɔda nɔmba na difrɛn nɔmba.',
    genuine: { receipt: 'Dis risit na tru', statement: 'Dis stetmɛnt na tru' },
    compare: 'Kɔmpia dɛn figa ya wit di pepa.',
    facts: {
      merchant: 'Sɛla',
      amount: 'Di mɔni we dɛn pe',
      refunded: 'Di mɔni we dɛn dɔn gi bak',
      paidAt: 'Dɛn pe am',
      order: 'Ɔda',
      orderNumber: 'Ɔda nɔmba',
      account: 'Akawnt nɔmba',
      from: 'Frɔm',
      to: 'Te (nɔ put am insay)',
      opening: 'Balans na di biginin',
      closing: 'Balans na di ɛnd',
    },
  },

  cancelled: {
    heading: 'Dɛn dɔn kansɛl di pemɛnt',
    text: (merchant) => `Yu nɔ ebul fɔ pe na dis pej igen. If yu stil wan pe, aks ${merchant} fɔ nyu link.`,
  },

  expired: {
    heading: 'Di tɛm fɔ dis pej dɔn pas',
    text: (merchant) => `Fɔ pe, aks ${merchant} fɔ nyu link.`,
  },

  linkClosed: {
    over: {
      heading: 'Dis link nɔ de tek pemɛnt igen',
      text: (merchant) => `Yu mɔni nɔ kɔmɔt. If yu stil wan pe, aks ${merchant} fɔ nyu link.`,
    },
    busy: {
      heading: 'Dis link nɔ bin ebul fɔ tek yu pemɛnt',
      text: (merchant) =>
        `Ɔda pipul dɛn bin de pe, ɔ ${merchant} bin dɔn stɔp di link. Yu mɔni nɔ kɔmɔt. Opin di link bak fɔ si if yu ebul fɔ pe naw.`,
    },
    open: 'Opin di link bak',
  },

  suspended: {
    heading: 'Dis sɛla nɔ ebul fɔ tek pemɛnt naw',
    text: (merchant) => `Duya aks ${merchant} aw fɔ pe.`,
  },
}
