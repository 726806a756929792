import type { LinkTexts } from './link-texts-en.ts'

export const sw: LinkTexts = {
  about: 'Ukurasa salama wa malipo.',
  testNotice: 'Malipo ya majaribio. Hakuna pesa halisi zinazohamishwa.',
  securedBy: 'Yamelindwa na Pesewa',
  titles: {
    form: 'Malipo',
    fault: 'Malipo: hakiki taarifa zako',
    ended: 'Malipo hayawezekani',
    done: 'Malipo yamepokelewa',
  },
  payTo: 'Lipa kwa',
  amount: 'Kiasi',
  between: (low, high) => `Kuanzia ${low} hadi ${high}.`,
  atLeast: (low) => `Angalau ${low}.`,
  atMost: (high) => `Isizidi ${high}.`,
  quantity: 'Idadi',
  numbers: (low, high) => `Kuanzia ${low} hadi ${high}.`,
  optional: '(si lazima)',
  each: 'kila moja',
  methodsLabel: 'Njia za malipo',
  methods: { bank: 'Akaunti ya benki', card: 'Kadi' },
  times: (quantity, price) => `${quantity} × ${price}`,
  go: 'Endelea kulipa',
  faults: {
    amount: {
      missing: 'Weka kiasi unachotaka kulipa.',
      invalid: 'Weka kiasi sahihi, kama 150 au 150.50.',
      tooSmall: 'Kiasi hiki ni chini ya kiwango cha chini.',
      tooLarge: 'Kiasi hiki kimezidi kiwango cha juu.',
    },
    quantity: {
      missing: 'Weka idadi.',
      invalid: 'Weka namba kamili.',
      tooSmall: 'Idadi hii ni chini ya kiwango cha chini.',
      tooLarge: 'Idadi hii imezidi kiwango cha juu.',
    },
    reference: {
      missing: 'Jaza sehemu hii ili mfanyabiashara ajue unalipia nini.',
      invalid: 'Tumia herufi au tarakimu.',
      tooSmall: 'Tumia herufi au tarakimu.',
      tooLarge: 'Maandishi haya ni marefu mno.',
    },
  },
  ended: {
    inactive: {
      heading: 'Kiungo hiki hakipokei malipo kwa sasa',
      text: 'Wasiliana na mtu aliyekutumia.',
    },
    completed: { heading: 'Kiungo hiki kimeshalipwa', text: 'Hakipokei malipo tena.' },
    expired: {
      heading: 'Muda wa kiungo hiki umekwisha',
      text: 'Muombe mtu aliyekutumia akupe kipya.',
    },
    cancelled: {
      heading: 'Kiungo hiki hakitumiki tena',
      text: 'Muombe mtu aliyekutumia akupe kipya.',
    },
    busy: {
      heading: 'Watu wengine wanalipa sasa',
      text: 'Utaweza kulipa wakishamaliza. Jaribu tena baada ya dakika chache.',
    },
    suspended: {
      heading: 'Malipo hayapatikani',
      text: 'Mfanyabiashara huyu hawezi kupokea malipo kwa sasa. Hujatozwa pesa yoyote.',
    },
  },
  done: { heading: 'Malipo yamepokelewa', order: 'Namba ya oda', receipt: 'Risiti' },
  questions: 'Una swali?',
  terms: 'Masharti',
  poster: {
    title: 'Bango',
    open: 'Wewe unachagua kiasi',
    scan: 'Skani ili kulipa',
    camera: 'Elekeza kamera ya simu yako kwenye msimbo.',
    type: 'Au andika anwani hii kwenye kivinjari chako:',
    dial: 'Huna intaneti? Piga',
    follow: 'Kisha fuata maelekezo kwenye simu yako.',
    until: (time) => `Inatumika hadi ${time}.`,
    print: 'Chapisha',
    hint: 'Imeandaliwa kwa karatasi ya A4.',
  },
  qr: {
    heading: 'Lipa kwa simu yako',
    text: 'Skani msimbo huu kwa kamera ya simu yako.',
    name: 'Msimbo wa QR wa kufungua ukurasa huu',
  },
}
