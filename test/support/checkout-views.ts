import type {
  CheckoutItem,
  CheckoutState,
  CheckoutView,
  FormIssue,
} from '../../packages/server/src/ways-to-pay/checkout/pages/view.ts'

// Views of checkout pages: typical ones, and ones at the limits of the contract.

export const nonce = 'bm9uY2UtMTIz'

export const fabric: CheckoutItem = {
  name: 'Gara fabric, hand dyed',
  description: 'Indigo, 6 yards',
  image: 'https://images.example/gara.png',
  quantity: 2,
  price: 'Le 60.00',
  total: 'Le 120.00',
}

const thread: CheckoutItem = {
  name: 'Cotton thread',
  quantity: 1,
  price: 'Le 30.00',
  total: 'Le 30.00',
}

type Provider = State<'choose'>['providers'][number]

const providers: Provider[] = [
  { id: 'm17', name: 'Orange Money', type: 'momo', color: '#ff7900', prefixes: ['+23276', '+23278'] },
  { id: 'm18', name: 'Afrimoney', type: 'momo', prefixes: ['+23277', '+23230'] },
]

export const allWays: Provider[] = [
  ...providers,
  { id: 'slb001', name: 'Sierra Leone Commercial Bank', type: 'bank', hasPage: true },
  { id: 'slb004', name: 'Rokel Commercial Bank', type: 'bank', hasPage: true },
  { id: 'slb007', name: 'UBA Sierra Leone', type: 'bank', hasPage: true },
  { id: 'dw001', name: 'SafulPay', type: 'wallet' },
  {
    id: 'card',
    name: 'Card',
    type: 'card',
    hasPage: true,
    networkLogos: ['/provider-logos/visa.png', '/provider-logos/mastercard.png'],
  },
]

/** As long as one of our URLs on a host with a typical name. */
const address = `https://pay.example.com/pay/${'A1b2'.repeat(17).slice(2)}`

type State<Kind> = Extract<CheckoutState, { kind: Kind }>

export function choosing(change: Partial<State<'choose'>> = {}): State<'choose'> {
  return {
    kind: 'choose',
    payAction: '/pay/cos-1',
    cancelAction: '/pay/cos-1/cancel',
    providers,
    dialCode: '+232',
    phoneExample: '076 123 456',
    expiry: { at: new Date('2026-11-21T14:30:00Z'), timeZone: 'Africa/Freetown' },
    formToken: 'form-token',
    ...change,
  }
}

export function waiting(change: Partial<State<'waiting'>> = {}): State<'waiting'> {
  return {
    kind: 'waiting',
    type: 'momo',
    provider: 'Orange Money',
    account: '+23276****56',
    statusUrl: '/pay/cos-1/status',
    waitUrl: '/pay/cos-1',
    ...change,
  }
}

const dialForm = { action: '/pay/cos-1/dial', formToken: 'form-token' }

function dialling(change: Partial<State<'dial'>> = {}): State<'dial'> {
  return {
    kind: 'dial',
    code: '*715*5773920187#',
    isPhone: false,
    statusUrl: '/pay/cos-1/status',
    waitUrl: '/pay/cos-1/dial?seen=none',
    backUrl: '/pay/cos-1',
    ...change,
  }
}

export function view(state: CheckoutState, change: Partial<CheckoutView> = {}): CheckoutView {
  return {
    language: 'en',
    nonce,
    path: '/pay/cos-1',
    merchant: 'Aminata Textiles',
    name: 'Fabric for two dresses',
    orderNumber: '604811932075',
    description: 'Collect at the Lumley Beach Road shop from Friday.',
    total: 'Le 150.00',
    items: [fabric, thread],
    environment: 'live',
    address,
    state,
    ...change,
  }
}

const long = 'W'.repeat(100)
const longest = 'W'.repeat(150)

const sixteen = Array.from({ length: 16 }, (_, i): CheckoutItem => {
  if (i === 0) return { ...fabric, name: long, description: long, quantity: 100_000 }
  if (i === 2)
    return { ...fabric, name: 'Its picture cannot be shown', image: 'https://images.example/broken.png' }
  return { ...(i % 3 === 0 ? thread : fabric), name: `Item number ${i + 1} of a long order` }
})

const atTheLimits = {
  merchant: `Kadiatu ${long}`,
  name: longest,
  description: `${long} and then some ordinary words that wrap as words do.`,
  total: 'Le 90,071,992,547,409.91',
  items: sixteen.map((item, i) => (i === 1 ? { ...item, total: 'Le 90,071,992,547,409.91' } : item)),
}

const sevenProviders = ['Ghana', 'Uganda', 'Rwanda', 'Cameroon', "Côte d'Ivoire", 'Zambia', 'Benin'].map(
  (country) => ({
    id: `mtn-${country}`,
    name: `MTN MoMo ${country}`,
    type: 'momo' as const,
  }),
)

export const otherNetwork = (
  change: Partial<Extract<FormIssue, { code: 'otherNetwork' }>> = {},
): FormIssue => ({
  field: 'phone',
  code: 'otherNetwork',
  looksLike: 'Africell',
  chosen: { id: 'm17', name: 'Orange Money' },
  instead: { id: 'm18', name: 'Afrimoney' },
  isCertain: false,
  ...change,
})

const returnUrl = 'https://shop.example/thanks?order=1'

/** A provider's logo as an operator supplies it: here, a single grey pixel. */
export const providerLogo = {
  path: '/provider-logos/0123456789abcdef.png',
  image: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** Providers of a large shop: colours that are hard to write on, a logo, and long names. */
const eightProviders: Provider[] = [
  '#ffcc00',
  '#e40000',
  '#1dc8ff',
  '#777777',
  '#ffffff',
  '#000000',
  '#43b02a',
].map((color, i) => ({ id: `p${i}`, name: `Provider ${i} of a country`, type: 'momo', color }))
const withPicture: Provider = {
  id: 'p7',
  name: 'Orange Money',
  type: 'momo',
  logo: providerLogo.path,
  prefixes: ['+23276'],
}

const longMerchant = 'The Freetown Association of Cloth Traders, Tailors and Dyers at Lumley Beach Road'

/** Pages whose most important content must fit on a small phone without scrolling, for any shop. */
export const firstViews: Record<string, CheckoutView> = {
  'first-one-provider': view(choosing({ providers: providers.slice(0, 1) }), {
    environment: 'test',
    handsetsUrl: '/simulator',
    merchant: longMerchant,
    name: 'Invoice 2026-1174: school uniforms for the second term, four children, with name tags',
  }),
  'first-three-providers': view(choosing({ providers: allWays.slice(0, 3) }), {
    environment: 'test',
    merchant: longMerchant,
    logo: '/logos/space/test/logo.png',
  }),
  'first-eight-providers': view(
    choosing({ providers: [withPicture, ...eightProviders], phone: '+23276123456' }),
    {
      environment: 'test',
      merchant: longMerchant,
      name: 'Invoice 2026-1174: school uniforms for the second term, four children, with name tags',
      total: 'Le 1,250,000.00',
    },
  ),
  'first-all': view(choosing({ providers: allWays }), { environment: 'test' }),
  'first-bank': view(choosing({ providers: [...allWays.slice(2, 5), ...providers], provider: 'slb001' }), {
    environment: 'test',
    merchant: longMerchant,
  }),
}

const openRequest = { provider: 'Orange Money', account: '+23276****03', waitUrl: '/pay/key/wait' }

/** Every checkout page, by name. */
export const samples: Record<string, CheckoutView> = {
  choose: view(choosing()),
  'first-eight-providers': firstViews['first-eight-providers']!,
  'choose-test': view(choosing({ phone: '+23276123456' }), {
    environment: 'test',
    handsetsUrl: '/simulator',
    logo: '/logos/space/test/logo.png',
    supportEmail: 'aminata@shop.example',
    supportPhone: '+23276000000',
    termsUrl: 'https://shop.example/terms',
  }),
  'choose-one-provider': view(choosing({ providers: providers.slice(0, 1) }), {
    brand: '#c2185b',
    items: [{ ...thread, name: 'Monthly subscription' }],
  }),
  'choose-provider-fault': view(
    choosing({ phone: '0200000001', fault: { field: 'provider', code: 'missing' } }),
  ),
  'choose-phone-fault': view(
    choosing({ provider: 'm18', phone: '0761', fault: { field: 'phone', code: 'invalid' } }),
    { brand: '#1a56db' },
  ),
  'choose-phone-asked-often': view(
    choosing({
      phone: '+23276123456',
      fault: { field: 'phone', code: 'askedOften', waitMinutes: 3 },
    }),
  ),
  'choose-phone-other-network': view(
    choosing({ provider: 'm17', phone: '077123456', fault: otherNetwork({ isCertain: true }) }),
    { brand: '#1a56db' },
  ),
  'choose-phone-likely-other': view(
    choosing({ provider: 'm17', phone: '077123456', fault: otherNetwork({ isCertain: false }) }),
    { environment: 'test' },
  ),
  'choose-failure': view(
    choosing({
      phone: '+23276123001',
      failure: { code: 'fund_insufficient', type: 'momo' },
    }),
    { environment: 'test', brand: '#f5a623' },
  ),
  'choose-failed-bank': view(
    choosing({
      providers: allWays,
      way: 'bank',
      provider: 'slb001',
      failure: { code: 'cancelled', type: 'bank' },
    }),
  ),
  'choose-all': view(choosing({ providers: allWays })),
  'choose-bank': view(choosing({ providers: allWays, way: 'bank', provider: 'slb004' }), {
    brand: '#0b5fa5',
  }),
  'choose-bank-fault': view(
    choosing({
      providers: allWays,
      way: 'bank',
      provider: 'slb001',
      accountNumber: '12',
      fault: { field: 'accountNumber', code: 'invalid' },
    }),
  ),
  'choose-wallet': view(choosing({ providers: allWays, way: 'wallet' }), { environment: 'test' }),
  'choose-wallet-fault': view(
    choosing({ providers: allWays, way: 'wallet', fault: { field: 'walletId', code: 'missing' } }),
  ),
  'choose-card': view(choosing({ providers: allWays, way: 'card' })),
  'choose-only-card': view(choosing({ providers: allWays.slice(-1) }), { brand: '#1a56db' }),
  'choose-all-limits': view(
    choosing({ providers: allWays.map((each) => ({ ...each, name: `${each.name} ${long}` })) }),
    atTheLimits,
  ),
  'choose-limits': view(choosing({ providers: sevenProviders }), { ...atTheLimits, environment: 'test' }),
  'choose-white-brand': view(choosing(), {
    brand: '#fff',
    items: [fabric, thread, fabric],
  }),
  'choose-black-brand': view(choosing(), { brand: '#000', total: 'Le 1,250,000.00' }),
  'choose-another': view(choosing({ provider: 'm17', open: { ...openRequest, supersedes: 'pay-1' } })),
  'choose-another-asked': view(
    choosing({
      provider: 'm17',
      phone: '+23276123003',
      open: { ...openRequest, supersedes: 'pay-1' },
      fault: { field: 'phone', code: 'alreadyAsked' },
    }),
  ),
  'choose-failed-open': view(
    choosing({
      provider: 'm17',
      phone: '+23276123001',
      failure: { code: 'fund_insufficient', type: 'momo' },
      open: openRequest,
    }),
    { environment: 'test' },
  ),
  'choose-closed': view(choosing({ providers: [] })),
  waiting: view(waiting({ minutesLeft: 24 })),
  'waiting-dial': view(waiting({ provider: 'MTN MoMo', approvalCode: '*170#', minutesLeft: 59 }), {
    environment: 'test',
    handsetsUrl: '/simulator',
  }),
  'waiting-prompt': view(
    waiting({
      minutesLeft: 24,
      prompt: { at: '14:30:05 GMT', secondsLeft: 42 },
      anotherUrl: '/pay/key/another',
    }),
  ),
  'waiting-or-dial': view(waiting({ minutesLeft: 24, anotherUrl: '/pay/key/another', dial: dialForm })),
  dial: view(dialling({ minutesLeft: 59 })),
  'dial-phone': view(dialling({ isPhone: true }), { environment: 'test', handsetsUrl: '/simulator' }),
  'dial-open': view(
    dialling({ isPhone: true, open: { provider: 'Orange Money', account: '+23276****03' } }),
    { brand: '#1a56db' },
  ),
  'dial-limits': view(dialling({ code: '*384*715000*715000*5773920187#', isPhone: true }), atTheLimits),
  'waiting-over': view(
    waiting({ prompt: { at: '14:30:05 GMT', secondsLeft: 0 }, anotherUrl: '/pay/key/another' }),
    { environment: 'test' },
  ),
  'waiting-second': view(
    waiting({
      prompt: { at: '14:30:05 GMT', secondsLeft: 42 },
      open: { provider: 'Orange Money', account: '+23276****03' },
    }),
    { brand: '#1a56db' },
  ),
  'waiting-slow': view(waiting({ slow: true }), { environment: 'test', brand: '#1a56db' }),
  'waiting-limits': view(waiting({ provider: long }), atTheLimits),
  'waiting-bank': view(waiting({ type: 'bank', provider: 'Rokel Commercial Bank', account: '****4821' })),
  'waiting-soon': view(waiting({ type: 'card', provider: 'card', account: '' })),
  'waiting-guided': view(
    waiting({
      type: 'wallet',
      provider: 'SafulPay',
      account: '****004',
      guidance: { text: 'Dial *144*4# and choose 1 to approve.', language: 'en', dialString: '*144*4#' },
    }),
  ),
  'waiting-code': view(
    waiting({
      provider: 'Telecel Cash',
      guidance: { text: 'Dial *110# and choose 6 for a voucher.', language: 'en', dialString: '*110#' },
      code: { action: '/pay/key/code', formToken: 'form-token', isFaulty: false, isAgain: true },
    }),
  ),
  'waiting-code-steps': view(
    waiting({
      guidance: {
        text: 'Dial *144*4*6#. Enter amount. Enter PIN. Use OTP',
        language: 'en',
        dialString: '*144*4*6#',
      },
      code: { action: '/pay/key/code', formToken: 'form-token', isFaulty: false, isAgain: false },
    }),
  ),
  'waiting-code-given': view(waiting({ hasGivenCode: true })),
  'waiting-code-fault': view(
    waiting({
      provider: long,
      guidance: { text: 'Dial *110# and choose 6 for a voucher.', language: 'en', dialString: '*110#' },
      code: { action: '/pay/key/code', formToken: 'form-token', isFaulty: true, isAgain: false },
    }),
    atTheLimits,
  ),
  'waiting-continue': view(
    waiting({
      type: 'wallet',
      provider: 'SafulPay',
      account: '****56',
      continueUrl: 'https://wallet.example/c/1',
    }),
    { environment: 'test', brand: '#7a1f5c' },
  ),
  'waiting-card': view(
    waiting({ type: 'card', provider: 'card', continueUrl: 'https://card.example/c/1', slow: true }),
  ),
  paid: view({ kind: 'paid', receiptUrl: '/pay/cos-1/receipt', returnUrl }),
  'paid-no-return': view(
    {
      kind: 'paid',
      receiptUrl: '/pay/cos-1/receipt',
      payment: { provider: 'Orange Money', account: '+23276****56', at: '3 May 2026 at 14:05 GMT' },
    },
    { environment: 'test', brand: '#f5a623' },
  ),
  'paid-twice': view({
    kind: 'paid',
    receiptUrl: '/pay/cos-1/receipt',
    returnUrl,
    moneyBack: [
      { kind: 'twice', amount: 'Le 150.00', account: '+23276****56', state: 'pending' },
      { kind: 'refund', amount: 'Le 50.00', account: '+23276****56', date: '3 May 2026' },
    ],
  }),
  'paid-open': view({
    kind: 'paid',
    receiptUrl: '/pay/cos-1/receipt',
    open: { provider: 'Orange Money', account: '+23276****56' },
  }),
  'paid-returned': view({
    kind: 'paid',
    receiptUrl: '/pay/cos-1/receipt',
    moneyBack: [
      { kind: 'twice', amount: 'Le 150.00', account: '+23276****56', state: 'done', date: '3 May 2026' },
      { kind: 'twice', amount: 'Le 150.00', account: '', state: 'failed' },
    ],
  }),
  'paid-limits': view({ kind: 'paid', returnUrl }, atTheLimits),
  cancelled: view({ kind: 'cancelled', returnUrl }),
  expired: view({ kind: 'expired' }),
  'link-over': view({ kind: 'linkClosed', isOver: true }),
  'link-busy': view({ kind: 'linkClosed', isOver: false, linkPath: '/l/key' }, { merchant: longMerchant }),
}
