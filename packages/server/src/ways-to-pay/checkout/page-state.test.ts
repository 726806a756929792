import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Payment } from '../../money/payments/store.ts'
import { createSeals } from '../../platform/seals.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { openConnectors } from '../../rails/connections/connectors.ts'
import { noPauses } from '../../rails/routing/pauses.ts'
import { chooseState, readPayer } from './page-choice.ts'
import { endedState, merchantUrl, shownAttempt, stageOf, type Visit, waitingState } from './page-state.ts'
import { findOffers, type Offer } from './payment-options.ts'
import type { CheckoutSession } from './store.ts'

const now = new Date('2026-11-21T10:00:00Z')
const inAMinute = new Date(now.getTime() + 60_000)
const catalogue = loadCatalogue()
const baseUrl = 'http://127.0.0.1:8080'
const connectors = openConnectors(catalogue, {
  simulatorUrl: `${baseUrl}/simulator`,
  baseUrl,
  seals: createSeals('a secret key'),
})
after(() => connectors.close())
const waitingParts = { catalogue, connectors, settings: { simulator: 'on' as const } }
const id = '01234567-89ab-7def-8123-456789abcdef'

/** Returns the parts of a visit on which the rules depend. */
const visit = (
  session: Partial<CheckoutSession> = {},
  attempt?: Partial<Payment>,
  more: Partial<Visit> = {},
) =>
  ({
    key: 'KEY',
    scope: { spaceId: id, environment: 'test' },
    session: {
      id,
      status: 'pending',
      paymentLinkId: null,
      expiresAt: inAMinute,
      currency: 'SLE',
      paymentOptions: {},
      ...session,
    },
    space: { country: 'SL', suspendedAt: null },
    attempt,
    attempts: attempt ? [attempt] : [],
    offers: [],
    language: 'en',
    formToken: 'token',
    isTheirs: false,
    now,
    ...more,
  }) as Visit

describe('the stage of a page', () => {
  type Session = Partial<CheckoutSession>
  const past: Session = { expiresAt: now }
  const ofLink: Session = { paymentLinkId: id }
  const stages: [what: string, session: Session, attempt: Payment['status'] | undefined, stage: string][] = [
    ['not paid', {}, undefined, 'choose'],
    ['an attempt failed', {}, 'failed', 'choose'],
    ['an attempt is pending', {}, 'pending', 'waiting'],
    ['an attempt is processing', {}, 'processing', 'waiting'],
    ['an attempt outlives the session', past, 'processing', 'waiting'],
    ['expired', past, undefined, 'expired'],
    ['expired after a failure', past, 'failed', 'expired'],
    ['an attempt is completed, the session not yet', {}, 'completed', 'paid'],
    ['the session is completed', { status: 'completed' }, 'completed', 'paid'],
    ['paid after it was cancelled', { status: 'cancelled' }, 'completed', 'paid'],
    ['cancelled', { status: 'cancelled' }, undefined, 'cancelled'],
    ['expired', { status: 'expired', updatedAt: inAMinute }, 'failed', 'expired'],
    [
      'a link’s session expired',
      { ...ofLink, status: 'expired', updatedAt: inAMinute },
      undefined,
      'expired',
    ],
    [
      'its link did not accept the payment',
      { ...ofLink, status: 'expired', updatedAt: now },
      undefined,
      'linkClosed',
    ],
    ['a payment arrived late', { ...ofLink, status: 'expired', updatedAt: now }, 'completed', 'paid'],
  ]
  for (const [what, session, status, stage] of stages)
    test(`${what}: ${stage}`, () => {
      assert.equal(stageOf(visit(session, status && { status })), stage)
    })
})

describe('the merchant’s URL', () => {
  const added = `checkoutSessionId=${new URL(merchantUrl(visit().session, 'https://x') ?? '').searchParams.get('checkoutSessionId')}`
  const urls: [url: string | null, callbackState: string | null, shown: string | undefined][] = [
    [null, 'x', undefined],
    ['', 'x', undefined],
    ['https://shop.example', null, `https://shop.example?${added}`],
    ['https://shop.example/a?b=1', null, `https://shop.example/a?b=1&${added}`],
    ['https://shop.example/a#top', null, `https://shop.example/a?${added}#top`],
    ['https://shop.example/?b#c?d', null, `https://shop.example/?b&${added}#c?d`],
    ['https://shop.example', 'a b&c=d#e', `https://shop.example?${added}&callbackState=a+b%26c%3Dd%23e`],
  ]
  for (const [url, callbackState, shown] of urls)
    test(`${url} with ${callbackState} becomes ${shown?.replace(added, '…')}`, () => {
      assert.equal(merchantUrl({ ...visit().session, callbackState }, url), shown)
    })
})

test('an ended page links to successUrl and the receipt if paid, otherwise to cancelUrl', () => {
  const ended = visit({
    orderNumber: '1',
    successUrl: 'https://shop.example/s',
    cancelUrl: 'https://shop.example/c',
  })
  const paid = endedState(ended, 'paid')
  assert.ok(paid.kind === 'paid' && paid.receiptUrl === '/pay/KEY/receipt')
  assert.match(paid.returnUrl ?? '', /^https:\/\/shop\.example\/s\?/)
  for (const stage of ['cancelled', 'expired'] as const) {
    const state = endedState(ended, stage)
    assert.ok(state.kind === stage)
    assert.match(state.returnUrl ?? '', /^https:\/\/shop\.example\/c\?/)
  }
  assert.deepEqual(endedState(visit(), 'expired'), { kind: 'expired' })
})

test('a waiting page is slow after 45 seconds', () => {
  for (const [ms, slow] of [
    [45_000, false],
    [45_001, true],
  ] as const) {
    const createdAt = new Date(now.getTime() - ms)
    const attempt = {
      channelType: 'momo',
      providerId: 'm17',
      payerAccount: '+23276123456',
      createdAt,
    } as const
    const state = waitingState(visit({}, attempt), waitingParts)
    assert.ok(state.kind === 'waiting')
    assert.deepEqual([state.slow, state.provider, state.account], [slow, 'Orange Money', '+23276****56'])
  }
})

test('a waiting page shows the approval code unless the rail has guidance, and the remaining time of a short session', () => {
  const attempt = {
    channelType: 'momo',
    providerId: 'mtn-gh',
    payerAccount: '+233241234567',
    createdAt: now,
  } as const
  const shown = (session: Partial<CheckoutSession>, more: Partial<Payment> = {}) => {
    const state = waitingState(visit(session, { ...attempt, ...more }), waitingParts)
    assert(state.kind === 'waiting')
    return [state.approvalCode, state.minutesLeft]
  }
  assert.deepEqual(shown({}), ['*170#', 1])
  assert.deepEqual(shown({ expiresAt: new Date(now.getTime() + 90_000) }), ['*170#', 2])
  assert.deepEqual(
    shown({ expiresAt: now }),
    ['*170#', undefined],
    'the session has expired, but its attempt has not ended',
  )
  assert.deepEqual(shown({ expiresAt: new Date(now.getTime() + 7 * 86_400_000) }), ['*170#', undefined])
  assert.deepEqual(shown({}, { providerId: 'm17' }), [undefined, 1])
  const guidance = { texts: { en: 'Dial' }, dialString: '*133#' }
  assert.deepEqual(shown({}, { guidance }), [undefined, 1])
  assert.deepEqual(shown({}, { redirectUrl: 'https://rail.example/1' }), [undefined, 1])
})

describe('the providers that a payer can choose', () => {
  /** A selection of the providers; aggregators reach many more. */
  const looked = ['m17', 'm18', 'mtn-bj', 'mtn-ci', 'mtn-gh', 'slb001', 'slb004', 'slb007', 'dw001', 'card']
  type Choice = [what: string, session: Partial<CheckoutSession>, payerCountry: string, providers: string[]]
  const choices: Choice[] = [
    ['mobile money first', {}, 'ZZ', ['m17', 'm18', 'slb001', 'slb004', 'slb007', 'dw001', 'card']],
    ['only those with the currency', { currency: 'GHS' }, 'SL', ['mtn-gh', 'card']],
    ['the payer’s country first', { currency: 'XOF' }, 'CI', ['mtn-ci', 'mtn-bj', 'card']],
    ['the payer’s country first', { currency: 'XOF' }, 'BJ', ['mtn-bj', 'mtn-ci', 'card']],
    [
      'only those that the session allows',
      {
        paymentOptions: {
          card: { disable: true },
          bank: { disable: true },
          momo: { enabledProviders: ['m18'] },
        },
      },
      'ZZ',
      ['m18', 'dw001'],
    ],
  ]
  for (const [what, session, payerCountry, providers] of choices)
    test(`${what}: ${providers}`, () => {
      const parts = { catalogue, connectors, pauses: noPauses }
      const { scope, session: offering } = visit(session)
      const offers = findOffers(parts, scope, offering, payerCountry)
      assert.deepEqual(
        offers.flatMap(({ provider: { providerId } }) => (looked.includes(providerId) ? [providerId] : [])),
        providers,
      )
    })
})

/** Returns offers of these providers. */
const offersOf = (providerIds: string[], unavailable: string[] = []): Offer[] =>
  providerIds.map((providerId) => ({
    provider: catalogue.find(providerId)!,
    logo: undefined,
    networkLogos: [],
    unavailable: unavailable.includes(providerId) ? 'Back at noon' : undefined,
    pageOrigins: [],
  }))

describe('the first provider', () => {
  const offered = ['m17', 'm18', 'slb001', 'card']
  const failed = {
    providerId: 'slb001',
    channelType: 'bank',
    status: 'failed',
    payerAccount: '0011223344',
  } as const
  const empty = { way: '', provider: '', phone: '', accountNumber: '', walletId: '' }
  type Again = Parameters<typeof chooseState>[1] & Pick<Partial<Visit>, 'remembered' | 'isTheirs'>
  const choice = (
    { remembered, isTheirs = false, ...again }: Again,
    attempt?: Partial<Payment>,
    unavailable: string[] = [],
  ) => {
    const offers = offersOf(offered, unavailable)
    const state = chooseState(visit({}, attempt, { offers, remembered, isTheirs }), again)
    assert(state.kind === 'choose')
    return state
  }
  const choices: [what: string, choice: ReturnType<typeof choice>, provider: string | undefined][] = [
    ['the most likely one', choice({}), 'm17'],
    ['the one that this browser paid with last', choice({ remembered: 'm18' }), 'm18'],
    ['not a forged cookie value', choice({ remembered: '"><script>' }), 'm17'],
    ['not one that is no longer offered', choice({ remembered: 'mtn-gh' }), 'm17'],
    ['not one that is unavailable', choice({ remembered: 'm18' }, undefined, ['m17', 'm18']), 'slb001'],
    ['the one of the last attempt', choice({ remembered: 'm18' }, failed), 'slb001'],
    ['not changed by what was posted', choice({ posted: { ...empty, provider: 'card' } }, failed), 'slb001'],
    ['none, if none is available', choice({}, undefined, ['m17', 'm18', 'slb001', 'card']), undefined],
  ]
  for (const [what, state, provider] of choices)
    test(`is ${what}`, () => {
      assert.equal(state.providers[0]?.id, provider ?? 'm17')
      assert.equal(state.providers.length, offered.length)
    })

  test('is preselected only if a number does not choose it', () => {
    const momo = { ...failed, providerId: 'm17', channelType: 'momo' } as const
    const own = { isTheirs: true }
    assert.equal(choice({}).provider, undefined)
    assert.equal(choice({ remembered: 'm18' }).provider, undefined)
    assert.equal(choice({ remembered: 'slb001' }).provider, 'slb001')
    assert.equal(choice({}, failed).provider, 'slb001')
    assert.equal(choice(own, { ...momo, payerAccount: '+23276123456' }).provider, undefined)
    assert.equal(choice(own, { ...momo, payerAccount: '+23277123456' }).provider, 'm17')
    assert.equal(choice({}, { ...momo, payerAccount: '+23277123456' }).provider, undefined)
    assert.equal(choice({ posted: { ...empty, provider: 'm18' } }).provider, 'm18')
  })

  test('determines the expanded payment method, unless another one was posted', () => {
    assert.equal(choice({}).way, 'momo')
    assert.equal(choice({ remembered: 'slb001' }).way, 'bank')
    assert.equal(choice({ posted: { ...empty, way: 'card' } }).way, 'card')
    assert.equal(choice({ posted: { ...empty, way: '__proto__' } }).way, 'momo')
  })

  test('shows the account only to the browser that entered it', () => {
    assert.equal(choice({ isTheirs: true }, failed).accountNumber, '0011223344')
    assert.equal(choice({}, failed).accountNumber, undefined)
    assert.equal(
      choice({ isTheirs: true, posted: { ...empty, accountNumber: '1' } }, failed).accountNumber,
      '1',
    )
  })
})

describe('a number without a provider', () => {
  const read = (phone: string, offered: string[], unavailable: string[] = []) =>
    readPayer(visit({}, undefined, { offers: offersOf(offered, unavailable) }), {
      ...{ way: 'momo', provider: '', accountNumber: '', walletId: '' },
      phone,
    })
  const missing = { field: 'provider', code: 'missing' }

  test('is paid with the provider on its network', () => {
    assert.deepEqual(read('077 123 456', ['m17', 'm18', 'card']), {
      ...{ providerId: 'm18', type: 'momo', account: '+23277123456' },
    })
  })

  test('requires a choice if no provider is on its network, unless there is only one', () => {
    assert.deepEqual(read('+23200000001', ['m17', 'm18']), missing)
    assert.deepEqual(read('077 123 456', ['m17', 'm18'], ['m18']), {
      ...{ providerId: 'm17', type: 'momo', account: '+23277123456' },
    })
    assert.deepEqual(read('077 123 456', ['card']), missing)
  })
})

describe('the payer’s details in a form', () => {
  const empty = { way: '', provider: '', phone: '', accountNumber: '', walletId: '' }
  const offers = offersOf(['m17', 'slb001', 'dw001', 'card'])
  const forms: [form: Partial<typeof empty>, read: object][] = [
    [{}, { field: 'provider', code: 'missing' }],
    [{ way: 'bank' }, { field: 'provider', code: 'missing' }],
    [{ way: 'momo' }, { field: 'phone', code: 'missing' }],
    [{ phone: '076 123 456' }, { providerId: 'm17', type: 'momo', account: '+23276123456' }],
    [
      { way: 'momo', phone: '12' },
      { field: 'phone', code: 'invalid' },
    ],
    [
      { provider: 'm18', phone: '076123456' },
      { field: 'provider', code: 'invalid' },
    ],
    [{ provider: 'm17' }, { field: 'phone', code: 'missing' }],
    [
      { provider: 'm17', phone: ' ' },
      { field: 'phone', code: 'missing' },
    ],
    [
      { provider: 'm17', accountNumber: '0011223344' },
      { field: 'phone', code: 'missing' },
    ],
    [
      { provider: 'm17', phone: '12' },
      { field: 'phone', code: 'invalid' },
    ],
    [
      { provider: 'm17', phone: '076 123 456' },
      { providerId: 'm17', type: 'momo', account: '+23276123456' },
    ],
    [
      { provider: 'slb001', accountNumber: '0011-2233 44ab' },
      { providerId: 'slb001', type: 'bank', account: '0011223344AB' },
    ],
    [
      { provider: 'slb001', accountNumber: '12345' },
      { field: 'accountNumber', code: 'invalid' },
    ],
    [
      { provider: 'dw001', walletId: ' fatu ' },
      { providerId: 'dw001', type: 'wallet', account: 'fatu' },
    ],
    [
      { provider: 'dw001', walletId: 'fatu sesay' },
      { field: 'walletId', code: 'invalid' },
    ],
    [
      { provider: 'card', phone: '076123456' },
      { providerId: 'card', type: 'card', account: null },
    ],
  ]
  for (const [form, read] of forms)
    test(`${JSON.stringify(form)}: ${JSON.stringify(read)}`, () => {
      assert.deepEqual(readPayer(visit({}, undefined, { offers }), { ...empty, ...form }), read)
    })
})

describe('a session with two attempts', () => {
  const first = { id: 'first', status: 'processing', channelType: 'momo', providerId: 'm17', createdAt: now }
  const second = { ...first, id: 'second' }
  type Some = Partial<Record<keyof typeof first, unknown>>
  const shown = (session: Partial<CheckoutSession>, one: Some, other: Some) => {
    const attempts = [
      { ...second, ...other },
      { ...first, ...one },
    ] as Payment[]
    return shownAttempt({ ...visit(session).session, paymentId: null, ...session }, attempts, now)?.id
  }
  const past = { expiresAt: now }
  const cases: [
    what: string,
    session: Partial<CheckoutSession>,
    first: string,
    second: string,
    id: string,
  ][] = [
    ['is about the second one while both are in flight', {}, 'processing', 'processing', 'second'],
    ['is still about it when the first one has failed', {}, 'failed', 'processing', 'second'],
    ['is about it when it has failed', {}, 'processing', 'failed', 'second'],
    ['is about the first one if no other can be started', past, 'processing', 'failed', 'first'],
    ['is about the one that completed', {}, 'completed', 'processing', 'first'],
    ['is about the one that paid the session', { paymentId: 'second' }, 'completed', 'completed', 'second'],
    ['is about the older one if the session names none', {}, 'completed', 'completed', 'first'],
  ]
  for (const [what, session, one, other, id] of cases)
    test(what, () => assert.equal(shown(session, { status: one }, { status: other }), id))
})

test('a waiting page counts down only if the lifetime of the request is known, and the request is on a phone', () => {
  const prompt = (attempt: Partial<Payment>, of: typeof waitingParts.settings.simulator | 'off' = 'off') => {
    const parts = { ...waitingParts, settings: { simulator: of } } as typeof waitingParts
    const known = { channelType: 'momo', payerAccount: '+233241234567', createdAt: now, redirectUrl: null }
    const state = waitingState(visit({}, { ...known, ...attempt } as Partial<Payment>), parts)
    assert(state.kind === 'waiting')
    return state.prompt
  }
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
  assert.deepEqual(prompt({ providerId: 'mtn-gh' }), { at: '10:05:00 GMT', secondsLeft: 300 })
  assert.deepEqual(prompt({ providerId: 'mtn-gh' }, 'on'), { at: '10:01:00 GMT', secondsLeft: 60 })
  assert.equal(prompt({ providerId: 'mtn-gh', createdAt: ago(400) })?.secondsLeft, 0)
  assert.equal(prompt({ providerId: 'm17' }), undefined)
  assert.equal(prompt({ providerId: 'mtn-gh', redirectUrl: 'https://bank.example' }), undefined)
})

test('a waiting page offers another number, unless the time is up, the Space is suspended or money cannot be returned', () => {
  const attempt = {
    ...{ id: 'one', status: 'processing', channelType: 'momo', providerId: 'm17' },
    ...{ payerAccount: '+23276123456', createdAt: now },
  } as const
  const offered = (session: Partial<CheckoutSession> = {}, more: Partial<Visit> = {}, providerId = 'm17') => {
    const state = waitingState(
      visit(session, { ...attempt, providerId } as Partial<Payment>, more),
      waitingParts,
    )
    assert(state.kind === 'waiting')
    return state.anotherUrl
  }
  assert.equal(offered(), '/pay/KEY/another')
  assert.equal(offered({ expiresAt: now }), undefined)
  assert.equal(offered({}, { space: { ...visit().space, suspendedAt: now } }), undefined)
  assert.equal(offered({}, {}, 'a provider that is no longer connected'), undefined)
})
