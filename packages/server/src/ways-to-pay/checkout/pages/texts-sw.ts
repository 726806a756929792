import type { Texts } from './texts-en.ts'

export const sw: Texts = {
  testNotice: 'Malipo ya majaribio. Hakuna pesa halisi inayohamishwa.',
  test: {
    heading: 'Namba za majaribio',
    intro: 'Tarakimu tatu za mwisho za namba au akaunti huamua matokeo:',
    outcomes: {
      fund_insufficient: 'Salio halitoshi',
      declined: 'Mlipaji amekataa',
      expired: 'Hakuna jibu; hushindikana baada ya dakika moja',
      slow: 'Hulipwa baada ya sekunde 30',
      unreported: 'Hulipwa, bila taarifa kutoka kwa mtoa huduma',
      provider_account_blocked: 'Akaunti imezuiwa',
      provider_account_missing: 'Akaunti haipo',
      provider_account_quota_exhausted: 'Kikomo kimefikiwa',
    },
    others: { numbers: 'Nyingine yoyote', outcome: 'Hulipwa' },
    phones: 'Fungua simu za majaribio, na uweke moja kuwa “Ask me” ili uidhinishe au ukatae mwenyewe',
  },
  securedBy: 'Inalindwa na Pesewa',
  about: 'Ukurasa salama wa malipo.',
  orderDetails: (count) => `Maelezo ya oda: ${count === 1 ? 'bidhaa 1' : `bidhaa ${count}`}`,
  quantity: (quantity, price) => `${quantity} × ${price}`,
  orderName: 'Oda',
  orderNumber: 'Namba ya oda',
  total: 'Jumla',
  returnTo: (merchant) => `Rudi kwa ${merchant}`,
  language: 'Lugha',

  help: { questions: 'Una swali?', terms: 'Masharti' },

  messages: {
    notFound: {
      title: 'Ukurasa huu wa malipo haupo',
      text: 'Kiungo hakijakamilika au si sahihi. Mwombe muuzaji kiungo kipya.',
    },
    tooMany: {
      title: 'Umejaribu mara nyingi mno',
      text: 'Tafadhali subiri kidogo kisha ujaribu tena. Tatizo likiendelea, mwombe muuzaji kiungo kipya cha malipo.',
    },
    failed: {
      title: 'Hitilafu imetokea upande wetu',
      text: 'Pakia upya ukurasa huu uone hali ya malipo yako kabla ya kulipa tena.',
    },
  },

  titles: {
    choose: 'Malipo: chagua jinsi ya kulipa',
    failure: 'Malipo yameshindikana: jaribu tena',
    fault: 'Malipo: kagua taarifa zako',
    askedOften: 'Malipo: jaribu tena baadaye',
    waiting: 'Malipo: tunasubiri uidhinishe',
    dial: 'Malipo: piga msimbo ulipe',
    paid: 'Malipo yamepokelewa',
    cancelled: 'Malipo yameghairiwa',
    expired: 'Muda wa ukurasa wa malipo umeisha',
    linkClosed: 'Malipo hayawezekani',
    suspended: 'Malipo hayapatikani',
  },

  qr: {
    heading: 'Lipa kwa kifaa kingine',
    text: 'Changanua msimbo huu kwa kamera ya simu yako ili kufungua ukurasa huu kwenye simu.',
    name: 'Msimbo wa QR wenye kiungo cha ukurasa huu',
  },

  ways: {
    momo: 'Pesa kwa simu',
    bank: 'Akaunti ya benki',
    wallet: 'Pochi ya kidijitali',
    card: 'Kadi ya benki',
  },

  choose: {
    heading: 'Chagua jinsi ya kulipa',
    headings: {
      momo: 'Lipa kwa simu',
      bank: 'Lipa kutoka akaunti yako ya benki',
      wallet: 'Lipa kwa pochi yako ya kidijitali',
      card: 'Lipa kwa kadi',
    },
    network: 'Mtandao',
    not: (provider) => `Si ${provider}?`,
    provider: 'Mtoa huduma',
    pick: 'Chagua…',
    cardHint: 'Utaweka taarifa za kadi yako kwenye ukurasa salama utakaofunguka.',
    pay: (total) => `Lipa ${total}`,
    goOn: {
      card: 'Endelea kwa kadi',
      bank: 'Endelea kwenye benki yako',
      other: (provider) => `Endelea kwenye ${provider}`,
    },
    paying: 'Tunatuma ombi…',
    safety: 'Utaidhinisha malipo kwa mtoa huduma wako. Usiweke kamwe PIN au nywila kwenye ukurasa huu.',
    until: (time) => `Unaweza kulipa hadi ${time}.`,
    cancel: 'Ghairi malipo',
    cancelling: 'Tunaghairi…',
    cancelWarning: 'Baada ya hapo hutaweza tena kulipa kwenye ukurasa huu.',
    cancelForGood: 'Ndiyo, ghairi',
    closed:
      'Kwa sasa hakuna mtoa huduma anayeweza kupokea malipo haya. Tafadhali jaribu tena baada ya dakika chache.',
  },

  fields: {
    phone: { label: 'Namba ya simu ya malipo', hint: 'Tutatuma ombi la malipo kwenye simu hii.' },
    accountNumber: { label: 'Namba ya akaunti ya benki', hint: 'Benki yako itakuomba uidhinishe malipo.' },
    walletId: {
      label: 'Kitambulisho cha pochi',
      hint: 'Namba au jina la pochi yako. Utaidhinisha malipo kwenye pochi.',
    },
  },

  askedOften: (minutes) =>
    `Hakuna ombi lililotumwa, kwa sababu simu hii imepokea maombi mengi mno. Jaribu tena baada ya ${minutes === 1 ? 'dakika moja' : `dakika ${minutes}`}, au tumia namba nyingine.`,

  otherNetwork: {
    likely: (network, provider) => `Hii inaonekana kuwa namba ya ${network}, si ya ${provider}.`,
    certain: (network, provider) =>
      `Hii inaonekana kuwa namba ya ${network}. ${provider} haiwezi kupokea malipo kutoka namba hii.`,
    instead: (provider) => `Bonyeza Lipa kutumia ${provider}.`,
    anyway: (provider) => `Endelea na ${provider}`,
  },

  faults: {
    network: 'Chagua mtandao wa namba yako.',
    provider: {
      missing: 'Chagua mtoa huduma.',
      invalid: 'Mtoa huduma huyu hapatikani hapa. Chagua mwingine.',
    },
    phone: (example) => {
      if (example === undefined) return 'Weka namba sahihi ya simu ya malipo.'
      if (example.startsWith('+')) return `Weka namba pamoja na msimbo wa nchi, kama ${example}.`
      return `Weka tarakimu ${example.replaceAll(/\D/g, '').length}, kama ${example}.`
    },
    accountNumber: {
      missing: 'Weka namba ya akaunti yako ya benki.',
      invalid: 'Weka namba sahihi ya akaunti: herufi na tarakimu 6 hadi 20.',
    },
    walletId: {
      missing: 'Weka kitambulisho cha pochi yako.',
      invalid: 'Weka kitambulisho sahihi: herufi 3 hadi 64 bila nafasi.',
    },
  },

  failureHeading: 'Malipo yameshindikana',
  failures: {
    unknown: 'Mtoa huduma wako hakueleza sababu. Jaribu tena, au lipa kwa njia nyingine.',
    fund_insufficient: 'Hakuna pesa ya kutosha kwenye akaunti hii. Ongeza salio, au lipa kwa njia nyingine.',
    authorization_failed: 'Malipo hayakuidhinishwa. Jaribu tena, au lipa kwa njia nyingine.',
    provider_unknown: 'Mtoa huduma huyu hawezi kupokea malipo haya. Chagua mwingine.',
    provider_unavailable:
      'Mtoa huduma huyu hajibu kwa sasa. Hujakatwa pesa. Chagua mwingine, au jaribu tena baada ya dakika chache.',
    provider_account_blocked:
      'Akaunti yako imezuiwa. Wasiliana na mtoa huduma wako, au lipa kwa njia nyingine.',
    provider_account_missing:
      'Mtoa huduma huyu haitambui akaunti hii. Kagua akaunti na mtoa huduma uliyemchagua.',
    provider_account_quota_exhausted:
      'Akaunti hii imefikia kikomo cha mtoa huduma wako. Jaribu tena baadaye, au lipa kwa njia nyingine.',
    cancelled: 'Malipo yameghairiwa na hujakatwa pesa. Unaweza kujaribu tena.',
    rejected: 'Mtoa huduma hakukubali malipo haya. Chagua mwingine, au jaribu tena baadaye.',
  },
  declinedOnPhone: 'Umeyakataa kwenye simu yako. Hakuna pesa zilizochukuliwa.',
  causes: {
    payerDeclined: 'Umeyakataa. Hakuna pesa zilizochukuliwa.',
    noResponse: 'Hukujibu ombi kwa wakati. Hakuna pesa zilizochukuliwa.',
    notConfirmed: 'Hayakuthibitishwa kwa wakati. Hakuna pesa zilizochukuliwa.',
    wrongPin: 'PIN haikuwa sahihi.',
    walletMissing: 'Namba hii haina akaunti ya pesa kwa simu. Kagua namba.',
  },

  waiting: {
    phone: {
      heading: () => 'Idhinisha kwenye simu yako',
      sent: (provider) => `Tumeiomba ${provider} itume ombi la malipo kwa`,
      steps: (total) => [
        'Fungua ombi kwenye simu hiyo.',
        `Hakikisha kiasi ni ${total}.`,
        'Weka PIN yako hapo ili kuidhinisha.',
      ],
    },
    provider: {
      heading: (provider) => `Idhinisha kupitia ${provider}`,
      sent: (provider) => `Tumeiomba ${provider} iombe malipo kutoka`,
      steps: (total) => [
        'Fungua ujumbe wa mtoa huduma wako, au programu yake.',
        `Hakikisha kiasi ni ${total}.`,
        'Idhinisha malipo hapo.',
      ],
    },
    guidance: {
      heading: (provider) => `Ujumbe kutoka ${provider}`,
      dial: (code) => `Piga ${code}`,
    },
    code: {
      heading: (provider) => `Weka msimbo kutoka ${provider}`,
      label: 'Msimbo',
      hint: (provider) => `Msimbo ambao ${provider} inakuonyesha au kukutumia kwa malipo haya. Si PIN yako.`,
      again:
        'Msimbo wako umetumwa. Ikiwa sehemu hii bado inaonekana baada ya muda mfupi, kagua msimbo na uuweke tena.',
      fault: 'Weka msimbo sahihi: tarakimu 4 hadi 12.',
      submit: 'Tuma msimbo',
      submitting: 'Tunatuma msimbo…',
      given: {
        heading: 'Tunasubiri uthibitisho',
        status: 'Tunamsubiri mtoa huduma',
        text: (provider) =>
          `Tumetuma msimbo wako kwa ${provider}. Isipokuwa simu yako ikuombe jambo jingine, umemaliza.`,
      },
    },
    elsewhere: {
      go: (provider) => `Endelea kwenye ${provider}`,
      text: (total) =>
        `Kwenye ukurasa utakaofunguka, hakikisha kiasi ni ${total} na uidhinishe malipo. Kisha utarudi hapa.`,
      card: 'ukurasa wa malipo ya kadi',
    },
    dial: {
      text: (provider) =>
        `Hakuna ombi kwenye simu yako? Piga msimbo huu uone maombi yanayosubiri idhini yako kwa ${provider}.`,
      action: (code) => `Piga ${code}`,
    },
    left: 'Dakika zilizobaki za kulipa:',
    other: {
      heading: 'Namba si sahihi, au umebadili mawazo?',
      prompt: () =>
        'Ombi likishatumwa haliwezi kurudishwa. Likatae kwenye simu hiyo, au liache muda wake uishe.',
      elsewhere: (provider) => `Rudi kwenye ${provider} na ughairi hapo.`,
      afterwards: 'Kisha unaweza kubadilisha namba, kulipa kwa njia nyingine au kughairi kwenye ukurasa huu.',
    },
    prompt: {
      until: (time) => `Muda wa ombi unaisha saa ${time}`,
      left: 'Muda uliobaki wa kuidhinisha:',
      over: (provider, hasAnother) =>
        `Huenda muda wa ombi kwenye simu yako umeisha. Ikiwa uliliidhinisha, usilipe tena: ukurasa huu utaonyesha matokeo. Ikiwa hukuliidhinisha, ${provider} itatuambia hivi karibuni na kisha unaweza kujaribu tena${hasAnother ? ', au tumia namba nyingine sasa' : ''}.`,
    },
    another: {
      text: 'Ombi lililotumwa haliwezi kurudishwa, kwa hiyo usiliidhinishe ukilipa kwa njia nyingine. Ukilipa mara mbili, malipo ya mwisho yanarudishwa kwako.',
      number: 'Tumia namba nyingine',
      way: 'Lipa kwa njia nyingine',
    },
    soon: {
      heading: 'Subiri kidogo',
      text: (provider) => `Tunakuunganisha na ${provider}.`,
    },
    status: 'Tunasubiri uidhinishe',
    slow: 'Inachukua muda mrefu kuliko kawaida. Ikiwa tayari umeidhinisha malipo, usilipe tena. Ukurasa huu utaonyesha matokeo.',
    stopped: 'Tumeacha kukagua. Ikiwa umeidhinisha malipo, usilipe tena. Kagua sasa uone matokeo.',
    check: 'Kagua sasa',
  },

  dial: {
    offer: 'Lipa kwa kupiga msimbo',
    heading: 'Piga msimbo huu ili kulipa',
    call: 'Piga kwenye simu hii',
    copy: 'Nakili msimbo',
    copied: 'Msimbo umenakiliwa',
    steps: (total) => [
      'Piga msimbo kwenye simu yenye akaunti yako ya pesa. Hauhitaji intaneti.',
      `Hakikisha kiasi ni ${total}, kisha thibitisha.`,
      'Weka PIN yako mtoa huduma wako atakapoiomba.',
    ],
    status: 'Tunasubiri malipo yako',
    back: 'Rudi',
  },

  another: {
    open: (account) =>
      `Ombi kwa ${account} bado liko wazi. Tafadhali usiliidhinishe. Malipo yote mawili yakipita, ya mwisho yanarudishwa kwako.`,
    openAfterwards: (account) =>
      `Ombi kwa ${account} bado liko wazi. Tafadhali usiliidhinishe. Ukiliidhinisha, pesa hizo zinarudishwa kwako.`,
    alreadyAsked: 'Ombi kwa akaunti hii bado liko wazi. Tumia nyingine, au rudi usubiri.',
    back: 'Rudi kwenye ombi lililo wazi',
  },

  moneyBack: {
    refunded: (amount, account, date) => `${amount} zilirudishwa kwa ${account} tarehe ${date}.`,
    twice: {
      pending: (amount, account) => `Umelipa mara mbili. ${amount} zinarudishwa kwa ${account}.`,
      done: (amount, account, date) =>
        `Umelipa mara mbili. ${amount} zilirudishwa kwa ${account} tarehe ${date}.`,
      failed: (amount, account, merchant) =>
        `Umelipa mara mbili. ${amount} hazikuweza kurudishwa kwa ${account}. Tafadhali wasiliana na ${merchant}.`,
    },
    sameAccount: 'akaunti uliyolipia',
  },

  paid: {
    heading: 'Malipo yamepokelewa',
    keep: 'Hifadhi namba ya oda. Muuzaji anaweza kuitumia kupata malipo yako.',
    receipt: 'Tazama risiti',
    share: 'Shiriki risiti',
    copyLink: 'Nakili kiungo cha risiti',
    copied: 'Kiungo kimenakiliwa',
  },

  verification: {
    heading: 'Kagua risiti au taarifa ya akaunti',
    text: 'Weka msimbo uliochapishwa kwenye hati. Tunaonyesha takwimu tulizonazo ili uzilinganishe.',
    label: 'Msimbo',
    check: 'Kagua',
    unknown:
      'Hatujatoa hati yenye msimbo huu. Kagua msimbo kisha ujaribu tena. Namba ya oda ni namba nyingine.',
    genuine: { receipt: 'Risiti hii ni halali', statement: 'Taarifa hii ni halali' },
    compare: 'Linganisha takwimu hizi na hati.',
    facts: {
      merchant: 'Muuzaji',
      amount: 'Kiasi kilicholipwa',
      refunded: 'Imerudishwa tangu hapo',
      paidAt: 'Imelipwa tarehe',
      order: 'Oda',
      orderNumber: 'Namba ya oda',
      account: 'Namba ya akaunti',
      from: 'Kuanzia',
      to: 'Hadi (haijumuishwi)',
      opening: 'Salio la mwanzo',
      closing: 'Salio la mwisho',
    },
  },

  cancelled: {
    heading: 'Malipo yameghairiwa',
    text: (merchant) =>
      `Huwezi tena kulipa kwenye ukurasa huu. Ikiwa bado unataka kulipa, iombe ${merchant} kiungo kipya.`,
  },

  expired: {
    heading: 'Muda wa ukurasa huu wa malipo umeisha',
    text: (merchant) => `Ili kulipa, iombe ${merchant} kiungo kipya.`,
  },

  linkClosed: {
    over: {
      heading: 'Kiungo hiki cha malipo hakipokei tena malipo',
      text: (merchant) => `Hujakatwa pesa. Ikiwa bado unataka kulipa, iombe ${merchant} kiungo kipya.`,
    },
    busy: {
      heading: 'Kiungo hiki cha malipo hakikuweza kupokea malipo yako',
      text: (merchant) =>
        `Watu wengine walikuwa wanalipa, au ${merchant} ilikuwa imesitisha kiungo. Hujakatwa pesa. Fungua kiungo tena uone kama unaweza kulipa sasa.`,
    },
    open: 'Fungua kiungo tena',
  },

  suspended: {
    heading: 'Muuzaji huyu hawezi kupokea malipo kwa sasa',
    text: (merchant) => `Tafadhali iulize ${merchant} jinsi ya kulipa.`,
  },
}
