import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createHandset, postStep } from '../../../support/handset.ts'
import { startTestApp, until } from '../../../support/harness.ts'

const t = await startTestApp()
const second = await startTestApp({ anotherNodeOf: t, work: false })
after(async () => {
  await second.close()
  await t.close()
})

let phones = 0
const newPhone = () => `+23276${String(200_100 + phones++)}`

async function openOtp(more: object = {}, given?: Awaited<ReturnType<typeof t.merchant>>) {
  const merchant = given ?? (await t.merchant())
  const phone = newPhone()
  const answer = await merchant.call('POST', '/v1/ussd-otps', { authorizedPhoneNumber: phone, ...more })
  const otp = answer.body.result
  const status = async () => (await merchant.call('GET', `/v1/ussd-otps/${otp.id}`)).body.result.status
  return { merchant, phone, otp, status, handset: createHandset(t, phone) }
}

const notValid = /not valid/
const lockedOut = /Too many wrong codes\. Dial again in (\d+) minutes/
const wrongDial = (right: string, add = 1) =>
  right.replace(
    /[0-9]{6}#/,
    (digits) => `${String((Number(digits.slice(0, 6)) + add) % 1e6).padStart(6, '0')}#`,
  )

test('the authorized phone dials the digits and is verified, and the merchant is notified', async () => {
  const { merchant, otp, phone, handset, status } = await openOtp({
    verificationMessage: 'Welcome back, Aminata.',
    metadata: { user: '42' },
  })
  assert.match(otp.dialCode, /^\*715\*[0-9]{6}#$/)
  assert.deepEqual(
    { ...otp, id: '', dialCode: '', createTime: '', expireTime: '' },
    {
      id: '',
      status: 'pending',
      dialCode: '',
      authorizedPhoneNumber: phone,
      verificationMessage: 'Welcome back, Aminata.',
      createTime: '',
      expireTime: '',
      metadata: { user: '42' },
    },
  )
  assert.equal(Date.parse(otp.expireTime) - Date.parse(otp.createTime), 300_000)

  assert.deepEqual(await handset.dial(otp.dialCode), {
    status: 200,
    ends: true,
    text: 'Welcome back, Aminata.',
  })
  assert.equal(await status(), 'verified')
  const events = await t.events(merchant.scope)
  assert.deepEqual(
    events.map(({ type, data }) => [type, (data as { status: string }).status]),
    [
      ['ussd_otp.created', 'pending'],
      ['ussd_otp.verified', 'verified'],
    ],
  )
})

test('without a message of the merchant, the default text is shown in the phone’s language', async () => {
  const { otp, handset } = await openOtp()
  assert.match((await handset.dial(otp.dialCode)).text, /Your phone number is verified/)
  const ivorian = await openOtp(
    { authorizedPhoneNumber: '+2250700000001' },
    await t.merchant({ country: 'CI' }),
  )
  const shown = await createHandset(t, '+2250700000001').dial(ivorian.otp.dialCode)
  assert.match(shown.text, /Votre numéro est vérifié/)
})

test('the digits can also be entered into the menu of the short code', async () => {
  const { otp, handset, status } = await openOtp()
  assert.deepEqual(await handset.dial(), { status: 200, ends: false, text: 'Enter the code you were given:' })
  const [, digits] = /\*([0-9]{6})#/.exec(otp.dialCode)!
  assert.equal((await handset.enter(digits!)).ends, true)
  assert.equal(await status(), 'verified')
})

test('a dial is checked once, however often it is delivered, on any node', async () => {
  const { merchant, otp, phone } = await openOtp({ verificationMessage: 'Once.' })
  const form = {
    sessionId: 'ATUid_once',
    serviceCode: otp.dialCode,
    phoneNumber: phone,
    networkCode: '61901',
    text: '',
  }
  const shown = await Promise.all(Array.from({ length: 20 }, (_, i) => postStep(i % 2 ? t : second, form)))
  assert.ok(shown.every(({ text }) => text === 'Once.'))
  const types = (await t.events(merchant.scope)).map(({ type }) => type)
  assert.deepEqual(types, ['ussd_otp.created', 'ussd_otp.verified'])
})

test('another phone never verifies, and sees the text for unknown digits', async () => {
  const { otp, status } = await openOtp()
  const stranger = createHandset(t, newPhone())
  const [taken, free] = [await stranger.dial(otp.dialCode), await stranger.dial(wrongDial(otp.dialCode))]
  assert.deepEqual(taken, free)
  assert.match(taken.text, notValid)
  assert.equal(await status(), 'pending')
})

test('it expires by the Space’s clock and then no longer verifies', async () => {
  const { merchant, otp, handset, status } = await openOtp({ duration: '30s' })
  await t.advance(merchant.scope, 30_000)
  assert.match((await handset.dial(otp.dialCode)).text, notValid)
  await until(async () => (await status()) === 'expired')
  assert.deepEqual(
    (await t.events(merchant.scope)).map(({ type }) => type),
    ['ussd_otp.created', 'ussd_otp.expired'],
  )
})

test('it still verifies a moment before it expires', async () => {
  const { merchant, otp, handset, status } = await openOtp({ duration: '1h' })
  await t.advance(merchant.scope, 3_590_000)
  await handset.dial(otp.dialCode)
  assert.equal(await status(), 'verified')
})

test('DELETE /v1/ussd-otps/{id}: 200 ends it early, and again when repeated; 409 once it is verified', async () => {
  const { merchant, otp, handset, status } = await openOtp()
  for (let i = 0; i < 2; i++) {
    const answer = await merchant.call('DELETE', `/v1/ussd-otps/${otp.id}`)
    assert.deepEqual(answer.body, { success: true, messages: [], result: null })
  }
  assert.equal(await status(), 'expired')
  assert.match((await handset.dial(otp.dialCode)).text, notValid)
  const verified = await openOtp()
  await verified.handset.dial(verified.otp.dialCode)
  const refused = await verified.merchant.call('DELETE', `/v1/ussd-otps/${verified.otp.id}`)
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'state_conflict'])
  assert.equal(await verified.status(), 'verified')
})

describe('wrong dials', () => {
  test('five lock the phone out for ten minutes, even for the correct digits; other phones are not affected', async () => {
    const { merchant, otp, handset, status } = await openOtp({ duration: '1h' })
    const other = await openOtp({}, merchant)
    for (let i = 1; i <= 5; i++) assert.match((await handset.dial(wrongDial(otp.dialCode, i))).text, notValid)
    assert.match((await handset.dial(otp.dialCode)).text, lockedOut)
    assert.equal(await status(), 'pending')
    await other.handset.dial(other.otp.dialCode)
    assert.equal(await other.status(), 'verified')

    await t.advance(merchant.scope, 590_000)
    assert.match((await handset.dial(otp.dialCode)).text, lockedOut)
    await t.advance(merchant.scope, 10_000)
    await handset.dial(otp.dialCode)
    assert.equal(await status(), 'verified')
  })

  test('four do not, nor do five spread over more than ten minutes', async () => {
    const { merchant, otp, handset, status } = await openOtp({ duration: '1h' })
    for (let i = 1; i <= 4; i++) await handset.dial(wrongDial(otp.dialCode, i))
    await t.advance(merchant.scope, 601_000)
    await handset.dial(wrongDial(otp.dialCode, 5))
    await handset.dial(otp.dialCode)
    assert.equal(await status(), 'verified')
  })

  test('the lock-out holds even if the Space’s clock was ahead before', async () => {
    const { merchant, otp, handset, status } = await openOtp({ duration: '1h' })
    await t.advance(merchant.scope, 1_800_000)
    for (let i = 1; i <= 5; i++) await handset.dial(wrongDial(otp.dialCode, i))
    assert.match((await handset.dial(otp.dialCode)).text, lockedOut)
    assert.equal(await status(), 'pending')
  })

  test('a wrong dial that is delivered again counts once', async () => {
    const { otp, handset, status } = await openOtp()
    await handset.dial(wrongDial(otp.dialCode))
    for (let i = 0; i < 10; i++) await handset.repeat()
    await handset.dial(otp.dialCode)
    assert.equal(await status(), 'verified')
  })

  test('thirty concurrent guesses are checked one at a time: five count, and no more', async () => {
    const { otp, phone, status } = await openOtp()
    // A phone repeats a step whose response is late, as networks do.
    const guess = async (i: number) => {
      const handset = createHandset(t, phone)
      let shown = await handset.dial(wrongDial(otp.dialCode, i + 1))
      while (!notValid.test(shown.text) && !lockedOut.test(shown.text)) shown = await handset.repeat()
      return shown
    }
    const shown = await Promise.all(Array.from({ length: 30 }, (_, i) => guess(i)))
    assert.equal(shown.filter(({ text }) => notValid.test(text)).length, 5)
    assert.equal(shown.filter(({ text }) => lockedOut.test(text)).length, 25)
    assert.match((await createHandset(t, phone).dial(otp.dialCode)).text, lockedOut)
    assert.equal(await status(), 'pending')
  })
})

test('active OTPs of one phone have different digits across all Spaces', async () => {
  const phone = newPhone()
  const merchants = [await t.merchant(), await t.merchant()]
  const codes = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const body = { authorizedPhoneNumber: phone }
      return (await merchants[i % 2]!.call('POST', '/v1/ussd-otps', body)).body.result.dialCode
    }),
  )
  assert.equal(new Set(codes).size, 60)
})

test('POST /v1/ussd-otps: 409 for a Space with a hundred active ones for a phone', async () => {
  const merchant = await t.merchant()
  const phone = newPhone()
  const ask = () => merchant.call('POST', '/v1/ussd-otps', { authorizedPhoneNumber: phone })
  for (let i = 0; i < 100; i++) assert.equal((await ask()).status, 200)
  const refused = await ask()
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'state_conflict'])
})

test('a test dial finds no live OTP', async () => {
  const live = await t.merchant({ environment: 'live' })
  const { otp, status } = await openOtp({ authorizedPhoneNumber: '+23276123499' }, live)
  assert.match((await createHandset(t, '+23276123499').dial(otp.dialCode)).text, notValid)
  assert.equal(await status(), 'pending')
})

for (const [fault, body] of [
  ['text instead of a number', { authorizedPhoneNumber: 'call me' }],
  ['a number that belongs to no country', { authorizedPhoneNumber: '+999123' }],
] as const)
  test(`POST /v1/ussd-otps: 400 for ${fault}, with its field`, async () => {
    const { status, body: answer } = await (await t.merchant()).call('POST', '/v1/ussd-otps', body)
    assert.deepEqual([status, answer.error.details[0].param], [400, 'authorizedPhoneNumber'])
  })

test('POST /v1/ussd-otps: 400 for a duration of less than 30 s or more than 1 h', async () => {
  const merchant = await t.merchant()
  const make = async (duration: string) =>
    (await merchant.call('POST', '/v1/ussd-otps', { authorizedPhoneNumber: newPhone(), duration })).status
  assert.deepEqual(await Promise.all(['29s', '30s', '1h', '61m'].map(make)), [400, 200, 200, 400])
})
