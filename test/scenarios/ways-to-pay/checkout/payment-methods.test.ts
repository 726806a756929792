import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { Sql, sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { queuedJobs } from '../../../support/jobs.ts'
import { type Account, createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]
const order = { name: 'Order 42', lineItems, successUrl: 'https://shop.example/thanks' }

/** Creates a merchant with an open session for 30 000, and its payer. */
async function openSession(more: object = {}, given?: Merchant) {
  const merchant = given ?? (await t.merchant())
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { ...order, ...more })).body.result
  const payer = createPayer(session.redirectUrl)
  const path = new URL(session.redirectUrl).pathname
  const paymentsOf = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result
  const payment = async () => (await paymentsOf())[0]
  const status = async () =>
    (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body.result.status
  const ended = async () => {
    await until(async () => ['completed', 'failed'].includes((await payment())?.status))
    return payment()
  }
  /** Pays with a provider that has its own page, and returns where the waiting page redirects to. */
  const toPage = async (provider: string, account: Account = {}): Promise<string> => {
    assert.equal((await payer.pay(provider, account)).status, 303)
    return until(async () => (await payer.look('/wait')).location ?? undefined)
  }
  return { merchant, session, path, payer, toPage, payment, paymentsOf, status, ended }
}

test('POST /v1/checkout-sessions: 400 in live if no connected provider supports its currency', async () => {
  const unconnected = await t.merchant({ environment: 'live' })
  const { status, body } = await unconnected.call('POST', '/v1/checkout-sessions', order)
  assert.deepEqual([status, body.error.reason], [400, 'arguments_invalid'])
  assert.deepEqual(body.error.details, [
    {
      param: 'paymentOptions',
      errors: ['leaves no payment method for SLE: no matching provider is connected in live'],
    },
  ])
  const connected = await startTestApp({ work: false, hasLiveProvider: true })
  try {
    const shop = await connected.merchant({ environment: 'live' })
    assert.equal((await shop.call('POST', '/v1/checkout-sessions', order)).status, 200)
    const without = { ...order, paymentOptions: { card: { disable: true } } }
    const refused = await shop.call('POST', '/v1/checkout-sessions', without)
    assert.equal(refused.body.error.details[0].param, 'paymentOptions')
  } finally {
    await connected.close()
  }
})

describe('POST /v1/checkout-sessions without a usable provider: 400 with the reason', () => {
  const rands = [{ name: 'Cloth', price: { currency: 'ZAR', value: 30_000 } }]
  const all = {
    bank: { disable: true },
    momo: { disable: true },
    wallet: { disable: true },
    card: { disable: true },
  }
  const refusals: [body: object, details: object[]][] = [
    [{ paymentOptions: all }, [{ param: 'paymentOptions', errors: ['leaves no payment method'] }]],
    [
      { lineItems: rands },
      [{ param: 'paymentOptions', errors: ['leaves no payment method: no provider supports ZAR'] }],
    ],
    [
      { paymentOptions: { ...all, momo: { enabledProviders: ['mtn-gh'] } } },
      [{ param: 'paymentOptions', errors: ['leaves no payment method for SLE'] }],
    ],
    [
      { lineItems: rands, duration: '1m', financialAccountId: 'acc-1' },
      [
        { param: 'duration', errors: ['must be a duration such as 90s, 10m or 1h30m, from 5m to 7d'] },
        { param: 'paymentOptions', errors: ['leaves no payment method: no provider supports ZAR'] },
        { param: 'financialAccountId', errors: ['does not name a financial account in this Space'] },
      ],
    ],
  ]
  for (const [body, details] of refusals)
    test(JSON.stringify(body), async () => {
      const merchant = await t.merchant()
      const { status, body: answer } = await merchant.call('POST', '/v1/checkout-sessions', {
        ...order,
        ...body,
      })
      assert.deepEqual([status, answer.error.details], [400, details])
    })

  test('in test if the operator has turned off every provider for the currency', async () => {
    const { catalogue } = t.app.parts
    const providers = catalogue.all().filter(({ currencies }) => currencies.includes('SLE'))
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'turned-off-')), 'providers.json')
    const off = providers.map((provider) => ({ ...provider, status: { active: false } }))
    writeFileSync(file, JSON.stringify({ providers: off }))
    const closed = await startTestApp({ work: false, settings: { PROVIDERS_FILE: file } })
    try {
      const { status, body } = await (await closed.merchant()).call('POST', '/v1/checkout-sessions', order)
      assert.equal(status, 400)
      assert.deepEqual(body.error.details, [
        {
          param: 'paymentOptions',
          errors: ['leaves no payment method for SLE: all matching providers are turned off'],
        },
      ])
    } finally {
      await closed.close()
      rmSync(path.dirname(file), { recursive: true })
    }
  })
})

const bank = (digits: string) => ({ accountNumber: `0011223${digits}` })
const wallet = (digits: string) => ({ walletId: `fatu@safulpay.${digits}` })

/** Waits until the rail has received everything, so that the rail's clock may be moved. */
const submitted = () =>
  until(async () => {
    const [waiting] = await db.query(sql`
      -- every space: the test looks at all instructions
      select 1 from instructions where state in ('created', 'submitting')`)
    return waiting === undefined
  })

/** Waits until all jobs have run and the rails have reported. */
const quiet = async () => {
  await until(async () => (await db.pool.query(`select from ${queuedJobs}`)).rowCount === 0)
  await t.app.settled()
}

async function balances({ scope: { spaceId, environment } }: Merchant): Promise<Record<string, bigint>> {
  const rows = await db.query<{ purpose: string; posted: bigint }>(sql`
    select purpose, posted from ledger_accounts where space_id = ${spaceId} and environment = ${environment}`)
  return Object.fromEntries(rows.map(({ purpose, posted }) => [purpose, posted]))
}

describe('POST /pay/{key}', () => {
  test('303 by bank: the payer authorises on the bank’s page and returns', async () => {
    const { merchant, session, path, payer, toPage, ended, status } = await openSession()
    const page = await toPage('slb001', { accountNumber: '0011-2233 44ab' })
    assert.match(page, /\/simulator\/rest\/slb001\/pages\//)
    const back = await payer.answer(page, { answer: 'approve' })
    assert.deepEqual([back.status, back.location], [303, `${path}/wait`])
    await rail.advance(300)
    const payment = await ended()
    const { reference, fingerprint, ...channel } = payment.channel
    assert.deepEqual(channel, { type: 'bank', provider: 'slb001', accountNumber: '****44AB', metadata: {} })
    assert.match(reference, /^[0-9]{10}$/)
    assert.match(fingerprint, /^[\w-]{27}$/)
    assert.deepEqual(await balances(merchant), {
      main: 29_700n,
      fees: 300n,
      'clearing slb001 collection': -30_000n,
    })
    const home = await until(async () => (await payer.look('/wait')).location)
    assert.equal(home, `https://shop.example/thanks?checkoutSessionId=${session.id}`)
    await until(async () => (await status()) === 'completed')
    await t.verify()
  })

  test('303 by wallet: the wallet asks the payer to approve', async () => {
    const { merchant, payer, ended } = await openSession()
    await payer.pay('dw001', { walletId: ' fatu@safulpay ' })
    await submitted()
    assert.equal((await payer.look('/wait')).status, 200)
    await rail.advance(300)
    const { channel } = await ended()
    assert.deepEqual([channel.type, channel.walletId], ['wallet', '****lpay'])
    assert.equal((await balances(merchant))['clearing dw001 collection'], -30_000n)
    await t.verify()
  })

  test('303 by card: scheme, last digits and a fingerprint are in the payment and its events', async () => {
    const { merchant, payer, toPage, payment, ended } = await openSession()
    const page = await toPage('card')
    assert.match(page, /\/simulator\/acquirer\/card\/pages\//)
    const { channel: before } = await payment()
    assert.deepEqual([before.scheme, before.last4, before.fingerprint], [null, null, null])
    await payer.answer(page, { answer: 'approve', card: 'mastercard' })
    await rail.advance(300)
    const paid = await ended()
    const { reference: _, fingerprint, ...channel } = paid.channel
    assert.deepEqual(channel, {
      type: 'card',
      provider: 'card',
      scheme: 'mastercard',
      last4: '4444',
      metadata: {},
    })
    assert.match(fingerprint, /^[\w-]{27}$/)
    const completed = await until(async () =>
      (await t.events(merchant.scope)).find(({ type }) => type === 'payment.completed'),
    )
    assert.deepEqual(completed.data, paid)
    assert.equal((await balances(merchant))['clearing card collection'], -30_000n)
    await t.verify()
  })
})

describe('POST /pay/{key} with a number that looks like another network’s', () => {
  /** Returns the fields of the form, and what its named buttons submit, by label. Other networks are left out. */
  const formOf = (text: string) => {
    const [form = ''] = text.split('</form>')
    const inputs: Record<string, string> = Object.fromEntries(
      [...form.matchAll(/<input [^>]*>/g)].flatMap(([input]) =>
        input.includes('type="radio"') && !input.includes('checked')
          ? []
          : [[attribute(input, 'name'), attribute(input, 'value')]],
      ),
    )
    const detours = new Map(
      [...form.matchAll(/<button ([^>]*name=[^>]*)>(.*?)<\/button>/g)].map(([, button = '', label = '']) => [
        label,
        { ...inputs, [attribute(button, 'name')]: attribute(button, 'value') },
      ]),
    )
    return { inputs, detours }
  }
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const francs = { lineItems: [{ name: 'Basket', price: { currency: 'RWF', value: 30_000 } }] }
  const cedis = { lineItems: [{ name: 'Kente', price: { currency: 'GHS', value: 30_000 } }] }

  test('422 in countries without number portability: nothing starts, and the button pays with the correct provider', async () => {
    const { payer, payment, paymentsOf, ended } = await openSession()
    const { status, text } = await payer.pay('m17', '077 123 456')
    assert.equal(status, 422)
    assert.match(
      text,
      /This looks like an Africell number\. Orange Money cannot accept payments from it\. Press Pay to use Afrimoney\./,
    )
    const { inputs, detours } = formOf(text)
    assert.equal(detours.size, 0)
    const formToken = await payer.formToken()
    const insisting = {
      provider: 'm17',
      phone: '077123456',
      refused: '077123456',
      confirmed: 'm17',
      formToken,
    }
    assert.equal((await payer.post('', insisting)).status, 422)
    assert.deepEqual([inputs.provider, inputs.phone, inputs.refused], ['m18', '077 123 456', '077 123 456'])
    assert.deepEqual(await paymentsOf(), [])
    assert.equal((await payer.post('', inputs)).status, 303)
    assert.equal((await payment()).channel.provider, 'm18')
    await submitted()
    await rail.advance(300)
    assert.equal((await ended()).status, 'completed')
    await t.verify()
  })

  test('a number that was corrected decides again: the other network was selected for the refused one only', async () => {
    const { payer, payment } = await openSession()
    const { text } = await payer.pay('m17', '077 123 456')
    const { inputs } = formOf(text)
    assert.equal((await payer.post('', { ...inputs, phone: '076 123 456' })).status, 303)
    assert.equal((await payment()).channel.provider, 'm17')
  })

  test('422 in French, and without an alternative if no provider of that network is offered', async () => {
    const { payer } = await openSession({ paymentOptions: { momo: { disabledProviders: ['m18'] } } })
    const body = new URLSearchParams({
      provider: 'm17',
      phone: '077123456',
      formToken: await payer.formToken(),
    })
    const headers = { 'accept-language': 'fr' }
    const { status, text } = await payer.look('', { method: 'POST', headers, body })
    assert.equal(status, 422)
    assert.match(text, /Ce numéro ressemble à un numéro Africell\./)
    const { inputs, detours } = formOf(text)
    assert.deepEqual([inputs.provider, detours.size], ['m17', 0])
  })

  test('422 with number portability if the provider has no such account; one click continues anyway', async () => {
    const { payer, paymentsOf, payment } = await openSession(francs)
    const { status, text } = await payer.pay('mtn-rw', '+250 72 123 4010')
    assert.equal(status, 422)
    assert.match(text, /This looks like an Airtel number, not an MTN MoMo number\./)
    assert.deepEqual(await paymentsOf(), [])
    const { inputs, detours } = formOf(text)
    assert.deepEqual([inputs.provider, ...detours.keys()], ['airtel-rw', 'Continue with MTN MoMo'])
    assert.equal((await payer.post('', detours.get('Continue with MTN MoMo') ?? {})).status, 303)
    assert.equal((await payment()).channel.provider, 'mtn-rw')
  })

  test('the confirmation of one number does not hold for another, and holds if no network was chosen', async () => {
    for (const [change, provider] of [
      [{ phone: '+250 72 124 4010' }, 'airtel-rw'],
      [{ provider: '' }, 'mtn-rw'],
    ] as const) {
      const { payer, payment } = await openSession(francs)
      const { text } = await payer.pay('mtn-rw', '+250 72 123 4010')
      const detour = formOf(text).detours.get('Continue with MTN MoMo') ?? {}
      assert.equal((await payer.post('', { ...detour, ...change })).status, 303)
      assert.equal((await payment()).channel.provider, provider)
    }
  })

  test('303 if the provider has an account with that number: it was ported', async () => {
    const { payer } = await openSession(francs)
    assert.equal((await payer.pay('mtn-rw', '+250 72 123 4567')).status, 303)
  })

  test('422 if a rail reports the number’s network, whatever accounts the provider has', async () => {
    const { payer } = await openSession(cedis)
    const { status, text } = await payer.pay('mtn-gh', '+233 20 123 4567')
    assert.equal(status, 422)
    const { inputs, detours } = formOf(text)
    assert.deepEqual([inputs.provider, ...detours.keys()], ['telecel-gh', 'Continue with MTN MoMo'])
  })
})

describe('POST /pay/{key} with test accounts', () => {
  type Kind = readonly [string, (digits: string) => Account, (page: string) => Record<string, string>]
  const kinds: Record<string, Kind> = {
    bank: ['slb001', bank, () => ({ answer: 'approve' })],
    wallet: ['dw001', wallet, () => ({})],
    card: ['card', () => ({}), (ending) => ({ answer: 'approve', card: 'visa', ending })],
  }
  const outcomes = [
    ['001', 300, 'fund_insufficient'],
    ['002', 300, 'authorization_failed'],
    ['003', 60_000, 'authorization_failed'],
    ['004', 30_000, 'completed'],
    ['005', 300, 'completed'],
    ['006', 300, 'completed'],
    ['009', 300, 'provider_account_blocked'],
    ['010', 300, 'provider_account_missing'],
    ['011', 300, 'provider_account_quota_exhausted'],
    ['012', 300, 'authorization_failed'],
  ] as const

  for (const [kind, [provider, account, answer]] of Object.entries(kinds)) {
    const pay = async (digits: string) => {
      const opened = await openSession()
      if (kind === 'wallet') {
        await opened.payer.pay(provider, account(digits))
        await submitted()
      } else await opened.payer.answer(await opened.toPage(provider, account(digits)), answer(digits))
      return opened
    }
    for (const [digits, ms, word] of outcomes)
      test(`${kind} …${digits}: ${word}`, async () => {
        const { merchant, ended, status } = await pay(digits)
        await rail.advance(ms)
        if (digits === '006') await t.advance(merchant.scope, 5_000)
        const payment = await ended()
        assert.equal(payment.failureDetail?.code ?? payment.status, word)
        assert.equal((await balances(merchant)).main, word === 'completed' ? 29_700n : 0n)
        if (word === 'completed') await until(async () => (await status()) === 'completed')
        else assert.equal(await status(), 'pending')
        if (digits !== '012') return
        await rail.advance(5_000)
        await until(async () => (await balances(merchant)).suspense === 30_000n)
        assert.equal((await ended()).status, 'failed')
        assert.equal((await casesOf(merchant)).length, 1)
      })
  }

  for (const [kind, provider, account] of [
    ['bank', 'slb001', bank],
    ['wallet', 'dw001', wallet],
  ] as const) {
    test(`${kind} …007: the response to the submission is lost, the money moves, and a query finds it`, async () => {
      const { merchant, payer, payment, ended } = await openSession()
      await payer.pay(provider, account('007'))
      await submitted()
      await rail.advance(300)
      await quiet()
      assert.notEqual((await payment()).status, 'failed')
      await t.advance(merchant.scope, 5_000)
      assert.equal((await ended()).status, 'completed')
    })

    test(`${kind} …008: does not fail until the rail’s report is reliable`, async () => {
      const { merchant, payer, payment, ended } = await openSession()
      await payer.pay(provider, account('008'))
      await submitted()
      await t.advance(merchant.scope, 50_000)
      await quiet()
      assert.equal((await payment()).status, 'processing')
      await t.advance(merchant.scope, 60_000)
      assert.deepEqual((await ended()).failureDetail.code, 'unknown')
    })
  }

  test('the books balance after all these payments', () => t.verify())
})

test('GET /pay/{key}/wait: 303 to the bank’s page once a query has found its URL, after the bank’s response was lost', async () => {
  const { merchant, payer, ended } = await openSession()
  await payer.pay('slb001', bank('007'))
  await submitted()
  assert.equal((await payer.look('/wait')).location, null)
  await t.advance(merchant.scope, 5_000)
  const page = await until(async () => (await payer.look('/wait')).location)
  await payer.answer(page!, { answer: 'decline' })
  await rail.advance(1)
  assert.equal((await ended()).failureDetail.code, 'authorization_failed')
})

test('GET /pay/{key}/return: 303 without a redirect loop for a payer who has not finished, and then a page with a link', async () => {
  const { path, payer, toPage, payment, status } = await openSession()
  const page = await toPage('slb001', bank('344'))
  assert.equal(await payer.status(), 'waiting')
  const text = await (await fetch(page)).text()
  const [, back = ''] = /href="([^"]+)" rel="noreferrer">Go back/.exec(text) ?? []
  const { status: code, location } = await payer.look(
    new URL(back).pathname.slice(path.length) + new URL(back).search,
  )
  assert.deepEqual([code, location], [303, `${path}/wait`])
  await quiet()
  const waiting = await payer.look('/wait')
  assert.equal(waiting.status, 200)
  assert.ok(waiting.text.includes(`href="${page}"`))
  assert.equal((await payment()).status, 'processing')
  await payer.answer(page, { answer: 'approve' })
  await rail.advance(300)
  await until(async () => (await status()) === 'completed')
})

test('GET /pay/{key}/status: 200 done until the waiting page has redirected the payer', async () => {
  const { payer } = await openSession()
  await payer.pay('card')
  await until(async () => (await payer.status()) === 'done')
  assert.equal((await payer.look('/wait')).status, 303)
  assert.equal(await payer.status(), 'waiting')
})

describe('GET /pay/{key}/return', () => {
  /** Creates a payment whose bank never calls back. Also returns the state with which its payer returns. */
  async function atBank(given?: Merchant) {
    const opened = await openSession({}, given)
    const page = await opened.toPage('slb001', bank('006'))
    const answered = await fetch(page, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ answer: 'approve' }),
    })
    const state = new URL(answered.headers.get('location')!).searchParams.get('state')!
    const comeBack = (other: string) => opened.payer.look(`/return?state=${encodeURIComponent(other)}`)
    return { ...opened, state, comeBack }
  }

  test('303 to the waiting page, and the bank is queried immediately', async () => {
    const { path, state, comeBack, ended } = await atBank()
    await rail.advance(300)
    assert.equal((await comeBack(state)).location, `${path}/wait`)
    assert.equal((await ended()).status, 'completed')
  })

  test('303 to the page if the state is missing, altered or another payment’s; nothing changes', async () => {
    const { merchant, path, state, comeBack, payer, payment } = await atBank()
    const sameSpace = await atBank(merchant)
    const otherSpace = await atBank()
    await rail.advance(300)
    const before = await rowsOf(merchant)
    const altered = `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`
    for (const other of [altered, `${state}x`, '', 'x', sameSpace.state, otherSpace.state]) {
      const { status, location } = await comeBack(other)
      assert.deepEqual([status, location], [303, path], other)
    }
    assert.equal((await payer.look('/return')).location, path)
    assert.equal((await payer.look(`/return?state=${state}&state=${state}`)).location, path)
    assert.equal((await payer.look('/return', { method: 'HEAD' })).location, path)
    assert.equal((await payer.look(`/return?state=${state}`, { method: 'HEAD' })).location, path)
    await quiet()
    assert.deepEqual(await rowsOf(merchant), before)
    assert.equal((await payment()).status, 'processing')
    assert.equal((await comeBack(state)).location, `${path}/wait`, 'the valid state still works')
  })

  test('303 to the page for a replay; nothing changes', async () => {
    const { merchant, path, state, comeBack, payment, ended } = await atBank()
    assert.equal((await comeBack(state)).location, `${path}/wait`)
    await quiet()
    await rail.advance(300)
    const before = await rowsOf(merchant)
    assert.equal((await comeBack(state)).location, path)
    await quiet()
    assert.deepEqual(await rowsOf(merchant), before)
    assert.equal((await payment()).status, 'processing')
    await t.advance(merchant.scope, 5_000)
    assert.equal((await ended()).status, 'completed')
  })

  const rowsOf = ({ scope: { spaceId, environment } }: Merchant) =>
    db.query(sql`
      select * from payments where space_id = ${spaceId} and environment = ${environment} order by id`)
})

describe('POST /pay/{key} from two browsers', () => {
  test('303 to both at the same time, and one payment', async () => {
    const { session, payer, paymentsOf } = await openSession()
    const other = createPayer(session.redirectUrl)
    const [formToken, theirs] = [await payer.formToken(), await other.formToken()]
    const answers = await Promise.all([
      payer.post('', { provider: 'slb001', ...bank('344'), formToken }),
      other.post('', { provider: 'card', formToken: theirs }),
      other.post('', { provider: 'dw001', ...wallet('123'), formToken: theirs }),
    ])
    for (const { status } of answers) assert.equal(status, 303)
    assert.equal((await paymentsOf()).length, 1)
    await submitted()
    await rail.advance(15 * 60_000)
  })

  test('303 to both in turn: one payment completes, and late money of the other is in suspense', async () => {
    const { merchant, session, payer, toPage, paymentsOf, status } = await openSession()
    await payer.answer(await toPage('slb001', bank('012')), { answer: 'approve' })
    await rail.advance(300)
    await until(async () => (await paymentsOf())[0].status === 'failed')
    const other = createPayer(session.redirectUrl)
    await other.pay('card')
    const page = await until(async () => (await other.look('/wait')).location)
    await other.answer(page!, { answer: 'approve', card: 'verve' })
    await rail.advance(300)
    await until(async () => (await status()) === 'completed')
    await rail.advance(5_000)
    await until(async () => (await balances(merchant)).suspense === 30_000n)
    assert.deepEqual(
      (await paymentsOf()).map((one: { status: string; channel: { type: string } }) => [
        one.channel.type,
        one.status,
      ]),
      [
        ['card', 'completed'],
        ['bank', 'failed'],
      ],
    )
    assert.equal((await balances(merchant)).main, 29_700n)
    assert.equal((await casesOf(merchant)).length, 1)
    await t.verify()
  })
})

test('GET /v1/payments: 200 with a fingerprint that is unique to a payer and Space', async () => {
  const fingerprint = async (merchant: Merchant, provider: string, account: Account, card = '') => {
    const { payer, toPage, ended } = await openSession({}, merchant)
    if (provider === 'dw001') await payer.pay(provider, account).then(submitted)
    else await payer.answer(await toPage(provider, account), { answer: 'approve', card })
    await rail.advance(300)
    return (await ended()).channel.fingerprint as string
  }
  const [here, there] = [await t.merchant(), await t.merchant()]
  const same: [string, Account, string?][] = [
    ['slb001', { accountNumber: '00ab223344' }],
    ['dw001', { walletId: 'fatu' }],
    ['card', {}, 'visa'],
  ]
  const seen = new Set<string>()
  for (const [provider, account, card] of same) {
    const first = await fingerprint(here, provider, account, card)
    assert.equal(await fingerprint(here, provider, account, card), first)
    seen.add(first).add(await fingerprint(there, provider, account, card))
  }
  assert.equal(
    await fingerprint(here, 'slb001', { accountNumber: '00 AB 22-33-44' }),
    [...seen][0],
    'in any format',
  )
  seen.add(await fingerprint(here, 'slb004', { accountNumber: '00AB223344' }))
  seen.add(await fingerprint(here, 'card', {}, 'mastercard'))
  assert.equal(seen.size, 8)
})

describe('GET and POST /pay/{key}', () => {
  test('200 with all four payment methods, mobile money first', async () => {
    const { payer } = await openSession()
    const provider = /(?:name="provider" value|<option value)="([^"]+)"/g
    const offered = [...(await payer.look()).text.matchAll(provider)].map((m) => m[1])
    assert.deepEqual(offered, ['m17', 'm18', 'slb001', 'slb004', 'slb007', 'dw001', 'card'])
  })

  test('422 for a card if cards are disabled; none is offered', async () => {
    const { payer, paymentsOf } = await openSession({ paymentOptions: { card: { disable: true } } })
    assert.doesNotMatch((await payer.look()).text, /value="card"/)
    assert.equal((await payer.pay('card')).status, 422)
    assert.deepEqual(await paymentsOf(), [])
  })

  const issues: [string, Account][] = [
    ['slb001', {}],
    ['slb001', { accountNumber: '12345' }],
    ['slb001', { accountNumber: '1'.repeat(21) }],
    ['slb001', { accountNumber: '00112233é4' }],
    ['slb001', { phone: '076123456' }],
    ['dw001', { walletId: 'ab' }],
    ['dw001', { walletId: 'x'.repeat(65) }],
    ['dw001', { walletId: 'fatu sesay' }],
    ['dw001', { accountNumber: '0011223344' }],
    ['m17', { walletId: 'fatu' }],
  ]
  for (const [provider, account] of issues)
    test(`422 for ${JSON.stringify(account)} with ${provider}`, async () => {
      const { payer, paymentsOf } = await openSession()
      assert.equal((await payer.pay(provider, account)).status, 422)
      assert.deepEqual(await paymentsOf(), [])
    })
})

test('POST /pay/{key}: 422 for a card number in an account field, which is not stored anywhere', async () => {
  const number = '4111111111111111'
  const { payer, merchant } = await openSession()
  for (const [provider, account] of [
    ['slb001', { accountNumber: '4111 1111 1111 1111' }],
    ['dw001', { walletId: number }],
    ['m17', { phone: number }],
  ] as const)
    assert.equal((await payer.pay(provider, account)).status, 422)
  const tables = await db.query<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`)
  assert.ok(tables.length > 20)
  for (const { name } of tables) {
    const [found] = await db.query(new Sql(`select 1 from ${name} t where t::text like $1`, [`%${number}%`]))
    assert.equal(found, undefined, name)
  }
  assert.equal((await merchant.call('GET', '/v1/banks/card')).status, 404)
})

async function casesOf({ scope: { spaceId, environment } }: Merchant) {
  return db.query(sql`
    select id from ledger_cases where space_id = ${spaceId} and environment = ${environment}`)
}
